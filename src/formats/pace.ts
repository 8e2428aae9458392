import { setImmediate } from "node:timers/promises";
import { FormatFailure } from "./error.ts";
import type { WriteOptions } from "./source.ts";

/** Longest stretch of work, in milliseconds, before others get the event loop. */
const SLICE_MS = 12;

/** Keeps a long piece of work polite: it stops when asked to, tells how far it is, and lets others have their turn. */
export class Pace {
  readonly #options: WriteOptions;
  #sliceStart = performance.now();
  #rows = 0;

  constructor(options: WriteOptions) {
    this.#options = options;
  }

  /** Rows counted so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Call between blocks. Throws `FormatFailure` of kind cancelled once the signal is aborted. */
  async breathe(newRows = 0): Promise<void> {
    this.#rows += newRows;
    this.#stopIfAsked();
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    if (this.#rows > 0) this.#options.onProgress?.(this.#rows);
    await setImmediate();
    this.#sliceStart = performance.now();
    this.#stopIfAsked();
  }

  #stopIfAsked(): void {
    if (this.#options.signal?.aborted) throw new FormatFailure("cancelled", "Cancelled; no file was written.");
  }
}
