import type { Writable } from "node:stream";

/** Thrown into whoever writes an answer when no one reads it any more. */
export class ClientGone extends Error {
  constructor() {
    super("The client is gone.");
    this.name = "ClientGone";
  }
}

/** The body of an answer under way, with backpressure: whoever writes waits until the network has taken the piece. */
export class BodyStream {
  readonly #target: Writable;
  readonly #signal: AbortSignal;

  constructor(target: Writable, signal: AbortSignal) {
    this.#target = target;
    this.#signal = signal;
    // Failures of the connection reach the writer through the signal; a stream without a listener would throw.
    target.on("error", () => undefined);
  }

  /** Resolves when the memory of the piece may be used again. Rejects with `ClientGone`. */
  write(piece: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new ClientGone());
      if (this.#signal.aborted) return gone();
      this.#signal.addEventListener("abort", gone, { once: true });
      this.#target.write(piece, (error) => {
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
