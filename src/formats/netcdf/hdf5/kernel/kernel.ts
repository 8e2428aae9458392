import { growTo, kernelFactory, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  shuffle(values: number, n: number, planes: number, plane: number): void;
  adler(from: number, bytes: number): number;
}

const makeInstance = kernelFactory<Exports>("chunk.as", () => Buffer.from(BINARY, "base64"));

/** The bytes of doubles apart, alike ones together, by chunk.as.ts in its memory. */
export class ShuffleKernel {
  readonly #exports = makeInstance({});
  readonly #values = (this.#exports.heap() + 15) & ~15;
  #planes = this.#values;

  /**
   * All first bytes of `elements` doubles, then all second ones, and so on: those of the values, and zeros behind. Good
   * until the next call.
   */
  shuffle(values: Float64Array, elements: number): Uint8Array {
    const { memory, shuffle } = this.#exports;
    this.#planes = this.#values + ((values.byteLength + 15) & ~15);
    growTo(memory, this.#planes + 8 * elements);
    new Float64Array(memory.buffer, this.#values).set(values);
    shuffle(this.#values, values.length, this.#planes, elements);
    return new Uint8Array(memory.buffer, this.#planes, 8 * elements);
  }

  /** Adler-32 of the first so many bytes that the last call of `shuffle` gave. */
  adler(bytes: number): number {
    return this.#exports.adler(this.#planes, bytes) >>> 0;
  }
}

let shared: ShuffleKernel | null = null;

/** That of this thread. */
export function shuffleKernel(): ShuffleKernel {
  return (shared ??= new ShuffleKernel());
}
