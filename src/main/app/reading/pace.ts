/** Yields to other work of the event loop during a long computation. */
export interface Pace {
  /** Yields if the last time is long enough ago. @throws the signal's reason once it is aborted */
  breathe(): Promise<void>;
}

/** Time between yields: long enough for progress, too short for a user to notice. */
const TURN_MS = 4;

export function createPace(signal: AbortSignal): Pace {
  let sinceMs = performance.now();
  return {
    async breathe() {
      signal.throwIfAborted();
      if (performance.now() - sinceMs < TURN_MS) return;
      await new Promise((resolve) => setImmediate(resolve));
      sinceMs = performance.now();
      signal.throwIfAborted();
    },
  };
}
