import { setImmediate } from "node:timers/promises";
import { ClientGone } from "../http/body.ts";

/** Maximum time of work before other requests get their turn. */
const SLICE_MS = 10;

/** Interrupts a long computation for other requests, and stops it when its client has disconnected. */
export class Pace {
  readonly #signal: AbortSignal;
  #sliceStart = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Call between blocks of work. Throws `ClientGone`. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#sliceStart >= SLICE_MS) {
      await setImmediate();
      this.#sliceStart = performance.now();
    }
    if (this.#signal.aborted) throw new ClientGone();
  }
}
