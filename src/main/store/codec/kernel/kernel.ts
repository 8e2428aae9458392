import { growTo, kernelFactory, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

/** Rows per block of packed numbers, and of a pyramid. */
export const BLOCK_ROWS = 64;
/** Low bytes of a double, which are noise in measured values; the upper three change little from row to row. */
export const LOW_BYTES = 5;
/** A block begins with its width in a byte; no number has more than 25 bits. */
const MAX_BLOCK_BYTES = 1 + (BLOCK_ROWS * 25) / 8;
/** Bytes after packed numbers that the kernel may read and write. */
const SPARE_BYTES = 8;
/** Per block: three doubles and three singles; after all blocks, four doubles. */
const BLOCK_SUMMARY_BYTES = 36;
const SUMMARY_BYTES = 32;
/** More than a day of 30 s observations. */
const INITIAL_ROWS = 4_096;

/** Values of few decimals: `values[i]` is the sum of `first` and the differences up to i, divided by 10^`decimals`. */
interface PackedDecimal {
  readonly decimals: number;
  readonly first: number;
  readonly differences: Uint8Array;
}

/** Any doubles: differences of their upper 24 bits; and their lower 40, each XOR the previous one, grouped by byte. */
interface PackedSplit {
  readonly upper: Uint8Array;
  readonly low: Uint8Array;
}

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  decimalsFound(): number;
  firstFound(): number;
  packDecimal(values: number, n: number, numbers: number, target: number, check: number): number;
  unpackDecimal(
    packed: number,
    packedEnd: number,
    n: number,
    total: number,
    decimals: number,
    first: number,
    numbers: number,
    values: number,
  ): number;
  packSplit(values: number, n: number, numbers: number, low: number, target: number, check: number): number;
  unpackSplit(packed: number, packedEnd: number, low: number, n: number, numbers: number, values: number): number;
  findRuns(values: number, n: number, target: number): number;
  summarize(times: number, values: number, n: number, target: number): void;
}

const makeInstance = kernelFactory<Exports>("columns.as", () => Buffer.from(BINARY, "base64"));

/** Packs and unpacks columns of numbers with columns.as.ts. Results are in its memory and valid until the next call. */
class ColumnKernel {
  readonly #exports = makeInstance({});
  #buffer = this.#exports.memory.buffer;
  #rows = 0;
  #values = 0;
  #others = 0;
  #numbers = 0;
  #low = 0;
  #packed = 0;
  #packedEnd = 0;

  constructor() {
    this.#reserve(INITIAL_ROWS);
  }

  /**
   * Returns null if the values would not be preserved to the bit (full doubles, -0, very large ones), or a step is too
   * large.
   */
  packDecimal(values: Float64Array): PackedDecimal | null {
    this.#load(values);
    const { length } = values;
    const end = this.#exports.packDecimal(this.#values, length, this.#numbers, this.#packed, this.#others);
    if (end === 0) return null;
    const { decimalsFound, firstFound } = this.#exports;
    return { decimals: decimalsFound(), first: firstFound(), differences: this.#bytesTo(end) };
  }

  /** Unpacks the first of `total` values into `values`; returns false if the bytes do not have `total` values. */
  unpackDecimal({ decimals, first, differences }: PackedDecimal, total: number, values: Float64Array): boolean {
    const { length } = values;
    const end = this.#take(differences, total);
    const [packed, numbers, at] = [this.#packed, this.#numbers, this.#values];
    if (end === 0 || !this.#exports.unpackDecimal(packed, end, length, total, decimals, first, numbers, at))
      return false;
    values.set(new Float64Array(this.#buffer, at, length));
    return true;
  }

  /** Returns null if the values would not be preserved to the bit. */
  packSplit(values: Float64Array): PackedSplit | null {
    this.#load(values);
    const { length } = values;
    const [at, numbers, low] = [this.#values, this.#numbers, this.#low];
    const end = this.#exports.packSplit(at, length, numbers, low, this.#packed, this.#others);
    if (end === 0) return null;
    return { upper: this.#bytesTo(end), low: new Uint8Array(this.#buffer, low, LOW_BYTES * length) };
  }

  /** Unpacks into all of `values`; returns false if the bytes do not have this number of values. */
  unpackSplit({ upper, low }: PackedSplit, values: Float64Array): boolean {
    const { length } = values;
    const end = this.#take(upper, length);
    if (end === 0 || low.length !== LOW_BYTES * length) return false;
    new Uint8Array(this.#buffer, this.#low).set(low);
    if (!this.#exports.unpackSplit(this.#packed, end, this.#low, length, this.#numbers, this.#values)) return false;
    values.set(new Float64Array(this.#buffer, this.#values, length));
    return true;
  }

  /**
   * Returns numbers as runs of equal steps, each as start, step and count; null if a number has a fraction or is too
   * large.
   */
  runs(values: Float64Array): Float64Array | null {
    this.#load(values);
    // Up to three doubles per two values: the arrays that follow in memory are large enough.
    const end = this.#exports.findRuns(this.#values, values.length, this.#others);
    return end === 0 ? null : new Float64Array(this.#buffer, this.#others, (end - this.#others) / 8);
  }

  /**
   * Returns three doubles and three singles for each 64 rows, and count, min, max and mean of all: see `buildPyramid`.
   */
  summarize(
    timesMs: Float64Array,
    values: Float64Array,
  ): { readonly summaries: ArrayBuffer; readonly all: Float64Array } {
    this.#load(values);
    new Float64Array(this.#buffer, this.#others).set(timesMs);
    this.#exports.summarize(this.#others, this.#values, values.length, this.#packed);
    const bytes = Math.ceil(values.length / BLOCK_ROWS) * BLOCK_SUMMARY_BYTES;
    const summary = upToDouble(this.#packed + bytes);
    return {
      summaries: this.#buffer.slice(this.#packed, this.#packed + bytes),
      all: new Float64Array(this.#buffer, summary, 4),
    };
  }

  #load(values: Float64Array): void {
    this.#reserve(values.length);
    new Float64Array(this.#buffer, this.#values).set(values);
  }

  /** Copies packed bytes into memory and returns their end; zero if `total` numbers cannot have this size. */
  #take(packed: Uint8Array, total: number): number {
    // Check first: a damaged number of rows must not exhaust memory.
    if (packed.length < Math.ceil(total / BLOCK_ROWS)) return 0;
    this.#reserve(total);
    const end = this.#packed + packed.length;
    if (end > this.#packedEnd) return 0;
    new Uint8Array(this.#buffer, this.#packed).set(packed);
    return end;
  }

  #bytesTo(end: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#packed, end - this.#packed);
  }

  /** Reserves memory for this number of rows. Its contents may be lost. */
  #reserve(rows: number): void {
    if (rows <= this.#rows) return;
    const { memory, heap } = this.#exports;
    const blocks = Math.ceil(rows / BLOCK_ROWS);
    const capacity = blocks * BLOCK_ROWS;
    const values = upToDouble(heap());
    const others = values + 8 * capacity;
    const numbers = others + 8 * capacity;
    const low = numbers + 4 * capacity;
    const packed = upToDouble(low + LOW_BYTES * capacity);
    const packedEnd = packed + blocks * MAX_BLOCK_BYTES;
    // Grow first: if that fails, nothing has changed.
    growTo(memory, packedEnd + SUMMARY_BYTES + SPARE_BYTES);
    this.#rows = capacity;
    [this.#values, this.#others, this.#numbers, this.#low] = [values, others, numbers, low];
    [this.#packed, this.#packedEnd] = [packed, packedEnd];
    this.#buffer = memory.buffer;
  }
}

/** Without 32-bit operators, because addresses may exceed 32 bits. */
function upToDouble(address: number): number {
  return 8 * Math.ceil(address / 8);
}

let shared: ColumnKernel | null = null;

/** Returns the kernel of this thread. */
export function columnKernel(): ColumnKernel {
  return (shared ??= new ColumnKernel());
}
