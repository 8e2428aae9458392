import { growTo, kernelMaker, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

/** What a block's figures take in the file; its times take a little besides. */
export const FIGURE_BYTES = 12;
/** Read at once: some three months. */
const MOST_BYTES = 65_536;
const MOST_PYRAMIDS = 512;
const MOST_BLOCKS = Math.floor(MOST_BYTES / FIGURE_BYTES);

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  read(bytes: number, lengths: number, n: number, ends: number, columns: number, capacity: number): number;
}

/** Of each block: see `Pyramid`. */
export interface Blocks {
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  readonly count: Float64Array;
  /**
   * For each pyramid min of every block, then max of every block, then mean. Single precision, min and max rounded
   * outward: never above, never below the true ones.
   */
  readonly figures: Float32Array;
}

const makeInstance = kernelMaker<Exports>("pyramids.as", () => Buffer.from(BINARY, "base64"));

/** Reads pyramids, by pyramids.as.ts in its memory. */
export class PyramidKernel {
  /** Of the pyramids that were read last. */
  readonly blocks: Blocks;
  readonly #exports = makeInstance({});
  readonly #places: readonly [bytes: number, lengths: number, ends: number, columns: number];
  readonly #bytes: Uint8Array;
  readonly #lengths: Uint32Array;
  readonly #ends: Uint32Array;

  constructor() {
    const { memory, heap } = this.#exports;
    const columns = 8 * Math.ceil(heap() / 8);
    const lengths = columns + MOST_BLOCKS * 36;
    const ends = lengths + MOST_PYRAMIDS * 4;
    const bytes = ends + MOST_PYRAMIDS * 4;
    growTo(memory, bytes + MOST_BYTES);
    this.blocks = blocksIn(memory.buffer, columns, MOST_BLOCKS);
    this.#places = [bytes, lengths, ends, columns];
    this.#bytes = new Uint8Array(memory.buffer, bytes, MOST_BYTES);
    this.#lengths = new Uint32Array(memory.buffer, lengths, MOST_PYRAMIDS);
    this.#ends = new Uint32Array(memory.buffer, ends, MOST_PYRAMIDS);
  }

  /**
   * Reads pyramids of such lengths from the `skip`th on, whose bytes begin at `at`: as many as there is room for, up to the
   * first that is compressed, of plain times, or damaged.
   *
   * @returns where the blocks of each end; good until the next call, as `blocks` are
   */
  read(bytes: Uint8Array, at: number, lengths: readonly number[], skip: number): Uint32Array {
    let n = 0;
    let size = 0;
    for (; n < MOST_PYRAMIDS && skip + n < lengths.length; n++) {
      const length = lengths[skip + n]!;
      // Beyond the given bytes would be those of another call.
      if (size + length > MOST_BYTES || at + size + length > bytes.length) break;
      this.#lengths[n] = length;
      size += length;
    }
    this.#bytes.set(bytes.subarray(at, at + size));
    const [source, sizes, ends, columns] = this.#places;
    return this.#ends.subarray(0, this.#exports.read(source, sizes, n, ends, columns, MOST_BLOCKS));
  }
}

/** Blocks side by side in one memory. */
export function blocksIn(memory: ArrayBuffer, at: number, n: number): Blocks {
  return {
    firstMs: new Float64Array(memory, at, n),
    lastMs: new Float64Array(memory, at + n * 8, n),
    count: new Float64Array(memory, at + n * 16, n),
    figures: new Float32Array(memory, at + n * 24, 3 * n),
  };
}

let shared: PyramidKernel | null = null;

/** That of this thread. */
export function pyramidKernel(): PyramidKernel {
  return (shared ??= new PyramidKernel());
}
