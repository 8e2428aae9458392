/** Nothing arrived from the service for longer than allowed. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

/** A body slower than this, 30 kB in two minutes, counts as stalled. A modem is ten times faster. */
const MIN_BYTES_PER_SECOND = 256;

/** Aborts an exchange when the caller does, or when nothing has arrived for too long. */
export interface StallTimeout {
  /** For the transport. */
  readonly signal: AbortSignal;
  /** Waits for a promise of the transport; the caller's own time between two calls does not count. */
  wait<T>(promise: Promise<T>, bytesOf: (value: T) => number): Promise<T>;
  /** The error if a stall ended the exchange, otherwise null. */
  stalled(): StalledError | null;
  /** Whether the caller aborted. */
  outerAborted(): boolean;
  /** Ends the exchange, and closes whatever of it is still open. */
  end(): void;
}

/** @param stallMs longest wait, on a clock that never jumps */
export function createStallTimeout(outer: AbortSignal, stallMs: number): StallTimeout {
  const controller = new AbortController();
  const onOuterAbort = (): void => controller.abort(outer.reason);
  outer.addEventListener("abort", onOuterAbort, { once: true });
  if (outer.aborted) onOuterAbort();
  const leastBytes = (MIN_BYTES_PER_SECOND * stallMs) / 1_000;
  let waitedMs = 0;
  let bytes = 0;

  return {
    signal: controller.signal,
    async wait(promise, bytesOf) {
      const startMs = performance.now();
      const timer = setTimeout(
        () => {
          // If this process itself was busy, the response may have arrived already: check once before giving up.
          setImmediate(() => {
            if (timerIsSet) controller.abort(new StalledError(`nothing came for ${Math.round(stallMs / 1_000)} s`));
          });
        },
        Math.max(1, stallMs - waitedMs),
      );
      let timerIsSet = true;
      try {
        const value = await promise;
        waitedMs += performance.now() - startMs;
        bytes += bytesOf(value);
        if (bytes >= leastBytes) {
          waitedMs = 0;
          bytes = 0;
        }
        return value;
      } finally {
        timerIsSet = false;
        clearTimeout(timer);
      }
    },
    stalled: () => (controller.signal.reason instanceof StalledError ? controller.signal.reason : null),
    outerAborted: () => outer.aborted,
    end() {
      outer.removeEventListener("abort", onOuterAbort);
      // Without effect on a body that was read to its end.
      controller.abort(new Error("the exchange is over"));
    },
  };
}
