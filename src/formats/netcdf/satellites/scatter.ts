import { sourceChanged } from "../../source.ts";
import type { NetcdfSink } from "../sink.ts";

/** A chunk of one variable. */
interface ChunkBuffer {
  readonly name: string;
  readonly values: Float64Array;
}

interface OpenChunk {
  filled: number;
  readonly buffers: readonly ChunkBuffer[];
}

/**
 * Fills one-dimensional variables in any order, but writes whole chunks: a chunk is buffered until it is complete. Rows
 * are read by time and stored by satellite, so that only the current chunk of each satellite of one station is in memory.
 */
export class ScatterWriter {
  readonly #file: NetcdfSink;
  readonly #names: readonly string[];
  readonly #total: number;
  readonly #chunk: number;
  readonly #open = new Map<number, OpenChunk>();
  readonly #spare: (readonly ChunkBuffer[])[] = [];

  constructor(file: NetcdfSink, names: readonly string[], total: number, chunk: number) {
    this.#file = file;
    this.#names = names;
    this.#total = total;
    this.#chunk = chunk;
  }

  /** Sets one value per variable at `index`; each index must be set exactly once. */
  put(index: number, values: readonly number[]): void {
    const number = Math.floor(index / this.#chunk);
    const start = number * this.#chunk;
    let chunk = this.#open.get(number);
    if (!chunk) {
      const buffers = this.#spare.pop() ?? this.#names.map((name) => ({ name, values: new Float64Array(this.#chunk) }));
      chunk = { filled: 0, buffers };
      this.#open.set(number, chunk);
    }
    const { buffers } = chunk;
    for (let v = 0; v < buffers.length; v++) buffers[v]!.values[index - start] = values[v]!;
    chunk.filled += 1;
    const length = Math.min(this.#chunk, this.#total - start);
    if (chunk.filled < length) return;
    for (const { name, values: written } of buffers) this.#file.write(name, [start], written.subarray(0, length));
    this.#open.delete(number);
    this.#spare.push(buffers);
  }

  /** @throws FormatFailure if cells are missing */
  finish(): void {
    if (this.#open.size > 0) throw sourceChanged();
  }
}
