import type { Writable } from "node:stream";

/** Thrown while a response is written whose client has disconnected. */
export class ClientGone extends Error {
  constructor() {
    super("The client is gone.");
    this.name = "ClientGone";
  }
}

/** The body of a response, with backpressure: a write waits until the network has taken the chunk. */
export class BodyStream {
  readonly #target: Writable;
  readonly #signal: AbortSignal;

  constructor(target: Writable, signal: AbortSignal) {
    this.#target = target;
    this.#signal = signal;
    // The signal reports failures of the connection; a stream without a listener would throw.
    target.on("error", () => undefined);
  }

  /** Resolves when the memory of the chunk may be reused. Rejects with `ClientGone`. */
  write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new ClientGone());
      if (this.#signal.aborted) return gone();
      this.#signal.addEventListener("abort", gone, { once: true });
      this.#target.write(chunk, (error) => {
        this.#signal.removeEventListener("abort", gone);
        if (error) reject(new ClientGone());
        else resolve();
      });
    });
  }

  end(): void {
    this.#target.end();
  }
}
