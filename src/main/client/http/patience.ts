/** The service, or the way to it, went silent: nothing came for longer than allowed. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

/** A body that brings less within the longest wait is as good as silent: 30 kB in two minutes. A modem brings ten times as much. */
const LEAST_BYTES_PER_SECOND = 256;

/** Ends an exchange when the caller says so, or when nothing has come for too long. */
export interface Patience {
  /** Goes to the transport. */
  readonly signal: AbortSignal;
  /** Waits for a promise of the transport; the time between calls, which is the caller's own, does not count. */
  wait<T>(promise: Promise<T>, bytesOf: (value: T) => number): Promise<T>;
  /** The silence that ended the exchange; null where there was none. */
  stalled(): StalledError | null;
  /** Whether the caller asked to stop. */
  outerAborted(): boolean;
  /** The exchange is over; whatever of it is still open is closed. */
  end(): void;
}

/** @param stallMs longest wait, on a clock that never jumps */
export function createPatience(outer: AbortSignal, stallMs: number): Patience {
  const controller = new AbortController();
  const onOuterAbort = (): void => controller.abort(outer.reason);
  outer.addEventListener("abort", onOuterAbort, { once: true });
  if (outer.aborted) onOuterAbort();
  const leastBytes = (LEAST_BYTES_PER_SECOND * stallMs) / 1_000;
  let waitedMs = 0;
  let bytes = 0;

  return {
    signal: controller.signal,
    async wait(promise, bytesOf) {
      const startMs = performance.now();
      const timer = setTimeout(
        () => {
          // Where this process itself was busy, the answer may be there already: look once before giving up.
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
