import { setImmediate } from "node:timers/promises";
import type { Clock } from "../sync/clock.ts";

/** Yields to other work of the event loop during a long computation. */
export interface Pace {
  /** Yields if the last time is long enough ago. @throws the signal's reason once it is aborted */
  yieldIfDue(): Promise<void>;
}

/** Time between yields: long enough for progress, too short for a user to notice. */
const TURN_MS = 4;

export function createPace(signal: AbortSignal): Pace {
  let sinceMs = performance.now();
  return {
    async yieldIfDue() {
      signal.throwIfAborted();
      if (performance.now() - sinceMs < TURN_MS) return;
      await setImmediate();
      sinceMs = performance.now();
      signal.throwIfAborted();
    },
  };
}

/** Limits how often changes are reported. */
export class Throttle {
  readonly #clock: Clock;
  readonly #pauseMs: number;
  readonly #report: () => void;
  #lastMs = -Infinity;
  #pending: AbortController | null = null;

  /** @param pauseMs shortest time between two reports caused by `schedule` */
  constructor(clock: Clock, pauseMs: number, report: () => void) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
    this.#report = report;
  }

  /** Reports a change now, or at the end of the pause after the last report. */
  schedule(): void {
    if (this.#pending) return;
    const waitMs = this.#lastMs + this.#pauseMs - this.#clock.monotonicMs();
    if (waitMs <= 0) this.now();
    else void this.#later(waitMs, new AbortController());
  }

  /** Reports at once, and drops a waiting report. */
  now(): void {
    this.#pending?.abort();
    this.#pending = null;
    this.#lastMs = this.#clock.monotonicMs();
    this.#report();
  }

  stop(): void {
    this.#pending?.abort();
    this.#pending = null;
  }

  async #later(waitMs: number, controller: AbortController): Promise<void> {
    this.#pending = controller;
    await this.#clock.sleep(waitMs, controller.signal);
    if (!controller.signal.aborted) this.now();
  }
}

/** Named timers. Setting one again restarts it. */
export class Timers {
  readonly #clock: Clock;
  readonly #controllers = new Map<string, AbortController>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(name: string, waitMs: number, act: () => void): void {
    this.clear(name);
    const controller = new AbortController();
    this.#controllers.set(name, controller);
    void this.#wait(name, waitMs, act, controller);
  }

  clear(name: string): void {
    this.#controllers.get(name)?.abort();
    this.#controllers.delete(name);
  }

  clearAll(): void {
    for (const name of this.#controllers.keys()) this.clear(name);
  }

  async #wait(name: string, waitMs: number, act: () => void, controller: AbortController): Promise<void> {
    await this.#clock.sleep(waitMs, controller.signal);
    if (controller.signal.aborted) return;
    this.#controllers.delete(name);
    act();
  }
}
