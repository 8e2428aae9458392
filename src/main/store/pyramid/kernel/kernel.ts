import { growTo, kernelMaker, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

/** Bytes of the figures of a block in the file. */
export const FIGURE_BYTES = 12;
/** Maximum bytes per call: about three months. */
const MAX_BYTES = 65_536;
const MAX_PYRAMIDS = 512;
const MAX_BLOCKS = Math.floor(MAX_BYTES / FIGURE_BYTES);

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  read(bytes: number, lengths: number, n: number, ends: number, columns: number, capacity: number): number;
}

/** Statistics of blocks, one element per block: see `Pyramid`. */
export interface Blocks {
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  readonly count: Float64Array;
  /**
   * For each pyramid the minima of all blocks, then their maxima, then their means. Single precision; minima are
   * rounded down and maxima up.
   */
  readonly figures: Float32Array;
}

const makeInstance = kernelMaker<Exports>("pyramids.as", () => Buffer.from(BINARY, "base64"));

/** Reads pyramids with pyramids.as.ts. */
export class PyramidKernel {
  /** Blocks of the pyramids that were read last. */
  readonly blocks: Blocks;
  readonly #exports = makeInstance({});
  readonly #places: readonly [bytes: number, lengths: number, ends: number, columns: number];
  readonly #bytes: Uint8Array;
  readonly #lengths: Uint32Array;
  readonly #ends: Uint32Array;

  constructor() {
    const { memory, heap } = this.#exports;
    const columns = 8 * Math.ceil(heap() / 8);
    const lengths = columns + MAX_BLOCKS * 36;
    const ends = lengths + MAX_PYRAMIDS * 4;
    const bytes = ends + MAX_PYRAMIDS * 4;
    growTo(memory, bytes + MAX_BYTES);
    this.blocks = blocksIn(memory.buffer, columns, MAX_BLOCKS);
    this.#places = [bytes, lengths, ends, columns];
    this.#bytes = new Uint8Array(memory.buffer, bytes, MAX_BYTES);
    this.#lengths = new Uint32Array(memory.buffer, lengths, MAX_PYRAMIDS);
    this.#ends = new Uint32Array(memory.buffer, ends, MAX_PYRAMIDS);
  }

  /**
   * Reads pyramids of these lengths, beginning with the pyramid of index `skip`, whose bytes begin at `at`. Stops when
   * the memory is full, and at a pyramid that is compressed, has plain times, or is damaged.
   *
   * @returns the end of the blocks of each pyramid; valid until the next call, like `blocks`
   */
  read(bytes: Uint8Array, at: number, lengths: readonly number[], skip: number): Uint32Array {
    let n = 0;
    let size = 0;
    for (; n < MAX_PYRAMIDS && skip + n < lengths.length; n++) {
      const length = lengths[skip + n]!;
      // Bytes beyond the given ones are of an earlier call.
      if (size + length > MAX_BYTES || at + size + length > bytes.length) break;
      this.#lengths[n] = length;
      size += length;
    }
    this.#bytes.set(bytes.subarray(at, at + size));
    const [source, sizes, ends, columns] = this.#places;
    return this.#ends.subarray(0, this.#exports.read(source, sizes, n, ends, columns, MAX_BLOCKS));
  }
}

/** Returns arrays of blocks side by side in one buffer. */
export function blocksIn(memory: ArrayBuffer, at: number, n: number): Blocks {
  return {
    firstMs: new Float64Array(memory, at, n),
    lastMs: new Float64Array(memory, at + n * 8, n),
    count: new Float64Array(memory, at + n * 16, n),
    figures: new Float32Array(memory, at + n * 24, 3 * n),
  };
}

let shared: PyramidKernel | null = null;

/** Returns the kernel of this thread. */
export function pyramidKernel(): PyramidKernel {
  return (shared ??= new PyramidKernel());
}
