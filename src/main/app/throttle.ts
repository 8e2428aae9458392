import type { Clock } from "../sync/clock.ts";

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
