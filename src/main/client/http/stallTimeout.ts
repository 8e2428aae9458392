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

/** Share of the longest wait that is granted after this process was suspended. */
const GRACE = 1 / 12;

/**
 * @param stallMs longest wait
 * @param nowMs a clock that is never set, but may go on while this process is suspended
 */
export function createStallTimeout(
  outer: AbortSignal,
  stallMs: number,
  nowMs: () => number = () => performance.now(),
): StallTimeout {
  const controller = new AbortController();
  const leastBytes = (MIN_BYTES_PER_SECOND * stallMs) / 1_000;
  const graceMs = GRACE * stallMs;
  let waitedMs = 0;
  let bytes = 0;

  /** Aborts the exchange after this time; a timer that fires much later shows that the process was suspended. */
  function startTimer(allowedMs: number, isSuspended: () => boolean): () => void {
    let isOver = false;
    const giveUp = (): void => {
      // If this process itself was busy, the response may have arrived already: check once before giving up.
      setImmediate(() => {
        if (!isOver) controller.abort(new StalledError(`nothing came for ${Math.round(stallMs / 1_000)} s`));
      });
    };
    // The service may be as far as it was before the suspension: a request that is sent again counts twice.
    let timer = setTimeout(() => (isSuspended() ? void (timer = setTimeout(giveUp, graceMs)) : giveUp()), allowedMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  return {
    signal: AbortSignal.any([outer, controller.signal]),
    async wait(promise, bytesOf) {
      const startMs = nowMs();
      const allowedMs = Math.max(1, stallMs - waitedMs);
      const isSuspended = (): boolean => nowMs() - startMs > allowedMs + graceMs;
      const stopTimer = startTimer(allowedMs, isSuspended);
      try {
        const value = await promise;
        waitedMs = isSuspended() ? stallMs - graceMs : waitedMs + nowMs() - startMs;
        bytes += bytesOf(value);
        if (bytes >= leastBytes) {
          waitedMs = 0;
          bytes = 0;
        }
        return value;
      } finally {
        stopTimer();
      }
    },
    stalled: () => (controller.signal.reason instanceof StalledError ? controller.signal.reason : null),
    outerAborted: () => outer.aborted,
    // Without effect on a body that was read to its end.
    end: () => controller.abort(new Error("the exchange is over")),
  };
}
