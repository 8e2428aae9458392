/** Lets others have their turn during long work. */
export interface Pace {
  /** Waits a moment where it is time to. @throws the signal's reason once it is aborted */
  breathe(): Promise<void>;
}

/** Long enough to get somewhere, short enough that a window does not notice. */
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
