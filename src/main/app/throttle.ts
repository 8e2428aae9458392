import type { Clock } from "../sync/clock.ts";

/** Keeps something that changes all the time from being told all the time. */
export interface Throttle {
  /** Something changed: tells it now, or, within the pause after the last time, at its end. */
  ask(): void;
  /** Tells it now, and nothing of before later. */
  now(): void;
  stop(): void;
}

/** @param pauseMs at least so long between two calls of `tell` that `ask` leads to */
export function createThrottle(clock: Clock, pauseMs: number, tell: () => void): Throttle {
  let lastMs = -Infinity;
  let pending: AbortController | null = null;

  function now(): void {
    pending?.abort();
    pending = null;
    lastMs = clock.monotonicMs();
    tell();
  }

  async function later(waitMs: number, own: AbortController): Promise<void> {
    pending = own;
    await clock.sleep(waitMs, own.signal);
    if (!own.signal.aborted) now();
  }

  return {
    ask() {
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
