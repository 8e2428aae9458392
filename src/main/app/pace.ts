import { setImmediate } from "node:timers/promises";

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
