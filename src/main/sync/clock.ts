import { setTimeout as delay } from "node:timers/promises";
import type { UtcMs } from "#shared/time/utc.ts";

/** Time as the sync engine uses it: the wall clock only to show and to remember, the monotonic one to wait. */
export interface Clock {
  wallMs(): UtcMs;
  /** Milliseconds that never jump. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    if (signal.aborted) return;
    // Rejects only for the abort, which is a normal way for a wait to end.
    await delay(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  },
};
