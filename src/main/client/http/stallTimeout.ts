/** Nothing arrived from the service for longer than allowed. */
export class StalledError extends Error {
  override readonly name = "StalledError";
}

/** A body slower than this, 30 kB in two minutes, counts as stalled. A modem is ten times faster. */
const MIN_BYTES_PER_SECOND = 256;

/** Share of the longest wait that is granted after this process was suspended. */
const GRACE = 1 / 12;

/** Aborts an exchange when the caller does, or when nothing has arrived for too long. */
export class StallTimeout {
  readonly #outer: AbortSignal;
  readonly #stallMs: number;
  readonly #nowMs;
  readonly #controller = new AbortController();
  readonly #leastBytes;
  readonly #graceMs;
  #waitedMs = 0;
  #bytes = 0;
  /** For the transport. */
  readonly signal: AbortSignal;

  /**
   * @param stallMs longest wait
   * @param nowMs a clock that is never set, but may go on while this process is suspended
   */
  constructor(outer: AbortSignal, stallMs: number, nowMs: () => number = () => performance.now()) {
    this.#outer = outer;
    this.#stallMs = stallMs;
    this.#nowMs = nowMs;
    this.#leastBytes = (MIN_BYTES_PER_SECOND * stallMs) / 1_000;
    this.#graceMs = GRACE * stallMs;
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
  }

  /** Waits for a promise of the transport; the caller's own time between two calls does not count. */
  async wait<T>(promise: Promise<T>, bytesOf: (value: T) => number): Promise<T> {
    const startMs = this.#nowMs();
    const allowedMs = Math.max(1, this.#stallMs - this.#waitedMs);
    const isSuspended = (): boolean => this.#nowMs() - startMs > allowedMs + this.#graceMs;
    const stopTimer = this.#startTimer(allowedMs, isSuspended);
    try {
      const value = await promise;
      this.#waitedMs = isSuspended() ? this.#stallMs - this.#graceMs : this.#waitedMs + this.#nowMs() - startMs;
      this.#bytes += bytesOf(value);
      if (this.#bytes >= this.#leastBytes) {
        this.#waitedMs = 0;
        this.#bytes = 0;
      }
      return value;
    } finally {
      stopTimer();
    }
  }

  /** The error if a stall ended the exchange, otherwise null. */
  stalled(): StalledError | null {
    return this.#controller.signal.reason instanceof StalledError ? this.#controller.signal.reason : null;
  }

  /** Whether the caller aborted. */
  outerAborted(): boolean {
    return this.#outer.aborted;
  }

  /** Ends the exchange, and closes whatever of it is still open. */
  end(): void {
    // Without effect on a body that was read to its end.
    this.#controller.abort(new Error("the exchange is over"));
  }

  /** Aborts the exchange after this time; a timer that fires much later shows that the process was suspended. */
  #startTimer(allowedMs: number, isSuspended: () => boolean): () => void {
    let isOver = false;
    const giveUp = (): void => {
      // If this process itself was busy, the response may have arrived already: check once before giving up.
      setImmediate(() => {
        if (!isOver)
          this.#controller.abort(new StalledError(`nothing came for ${Math.round(this.#stallMs / 1_000)} s`));
      });
    };
    // The service may be as far as it was before the suspension: a request that is sent again counts twice.
    let timer = setTimeout(
      () => (isSuspended() ? void (timer = setTimeout(giveUp, this.#graceMs)) : giveUp()),
      allowedMs,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }
}
