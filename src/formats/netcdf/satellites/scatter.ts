import { sourceChanged } from "../../sourceRows.ts";
import type { NetcdfSink } from "../sink.ts";

interface OpenChunk {
  filled: number;
  readonly buffers: readonly Float64Array[];
}

/**
 * Fills one-dimensional variables in any order, yet writes them in whole chunks: a chunk is kept until its last cell is
 * there. Rows come by time and lie in the file by satellite, so that at any moment only the chunks in which the
 * satellites of one station are at work are in memory.
 */
export class ScatterWriter {
  readonly #file: NetcdfSink;
  readonly #names: readonly string[];
  readonly #total: number;
  readonly #chunk: number;
  readonly #open = new Map<number, OpenChunk>();
  readonly #spare: (readonly Float64Array[])[] = [];

  constructor(file: NetcdfSink, names: readonly string[], total: number, chunk: number) {
    this.#file = file;
    this.#names = names;
    this.#total = total;
    this.#chunk = chunk;
  }

  /** Puts one value per variable at `index`; each index exactly once. */
  put(index: number, values: readonly number[]): void {
    const number = Math.floor(index / this.#chunk);
    const start = number * this.#chunk;
    let chunk = this.#open.get(number);
    if (!chunk) {
      const buffers = this.#spare.pop() ?? this.#names.map(() => new Float64Array(this.#chunk));
      chunk = { filled: 0, buffers };
      this.#open.set(number, chunk);
    }
    for (let v = 0; v < values.length; v++) chunk.buffers[v]![index - start] = values[v]!;
    chunk.filled += 1;
    const length = Math.min(this.#chunk, this.#total - start);
    if (chunk.filled < length) return;
    const { buffers } = chunk;
    this.#names.forEach((name, v) => this.#file.write(name, [start], buffers[v]!.subarray(0, length)));
    this.#open.delete(number);
    this.#spare.push(buffers);
  }

  /** Throws where cells were announced that never came. */
  finish(): void {
    if (this.#open.size > 0) throw sourceChanged();
  }
}
