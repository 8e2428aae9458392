import { setTimeout as delay } from "node:timers/promises";
import type { UtcMs } from "#shared/time/utc.ts";

/** The clocks of this computer: the wall clock is only displayed and stored; waits use the monotonic clock. */
export interface Clock {
  wallMs(): UtcMs;
  /** Milliseconds that never jump. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once if the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    if (signal.aborted) return;
    // Rejects only on abort, which is a normal end of a wait.
    await delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  },
};
