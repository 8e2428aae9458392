import type { Clock } from "../sync/clock.ts";

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
