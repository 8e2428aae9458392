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

/** Longest time without yielding to the event loop. */
const SLICE_MS = 12;

/** Calls `each` for many items, yielding to calls of windows in between. @throws errors of `each`, and the signal's reason */
export async function forEachYielding<T>(
  items: Iterable<T>,
  each: (item: T) => void,
  signal: AbortSignal | null = null,
): Promise<void> {
  let sliceStart = performance.now();
  for (const item of items) {
    each(item);
    if (performance.now() - sliceStart < SLICE_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceStart = performance.now();
  }
}

/** Limits how often changes are reported. */
export interface Throttle {
  /** Reports a change now, or at the end of the pause after the last report. */
  schedule(): void;
  /** Reports at once, and drops a waiting report. */
  now(): void;
  stop(): void;
}

/** @param pauseMs shortest time between two reports caused by `schedule` */
export function createThrottle(clock: Clock, pauseMs: number, report: () => void): Throttle {
  let lastMs = -Infinity;
  let pending: AbortController | null = null;

  function now(): void {
    pending?.abort();
    pending = null;
    lastMs = clock.monotonicMs();
    report();
  }

  async function later(waitMs: number, controller: AbortController): Promise<void> {
    pending = controller;
    await clock.sleep(waitMs, controller.signal);
    if (!controller.signal.aborted) now();
  }

  return {
    schedule() {
      if (pending) return;
      const waitMs = lastMs + pauseMs - clock.monotonicMs();
      if (waitMs <= 0) now();
      else void later(waitMs, new AbortController());
    },
    now,
    stop() {
      pending?.abort();
      pending = null;
    },
  };
}
