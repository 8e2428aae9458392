import { setImmediate } from "node:timers/promises";
import { ClientGone } from "../http/stream.ts";

/** Longest stretch of work before other requests get their turn. */
const SLICE_MS = 10;

/** Keeps a long computation polite, and stops it when no one waits for its result any more. */
export class Pace {
  readonly #signal: AbortSignal;
  #sliceStart = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Call between blocks of work. Throws `ClientGone`. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#sliceStart >= SLICE_MS) {
      await setImmediate();
      this.#sliceStart = performance.now();
    }
    if (this.#signal.aborted) throw new ClientGone();
  }
}
