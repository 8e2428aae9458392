import { setImmediate } from "node:timers/promises";
import { FormatFailure } from "./error.ts";
import type { WriteOptions } from "./source.ts";

/** Maximum time between two turns of the event loop. */
const SLICE_MS = 12;

/** Cooperative scheduling of long work: cancellation, progress, and yielding to the event loop. */
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

  /** To be called between blocks: counts rows, reports progress and yields. @throws FormatFailure (cancelled) after an abort */
  async step(newRows = 0): Promise<void> {
    this.#rows += newRows;
    this.#throwIfAborted();
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    if (this.#rows > 0) this.#options.onProgress?.(this.#rows);
    await setImmediate();
    this.#sliceStart = performance.now();
    this.#throwIfAborted();
  }

  #throwIfAborted(): void {
    if (this.#options.signal?.aborted) throw new FormatFailure("cancelled", "Cancelled; no file was written.");
  }
}
