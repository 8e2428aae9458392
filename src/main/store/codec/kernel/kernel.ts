import { growTo, kernelMaker, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

/** Rows per block of packed numbers, and of a pyramid. */
export const BLOCK_ROWS = 64;
/** Bytes of a double that measured values fill with noise; the three above them change little from row to row. */
export const LOW_BYTES = 5;
/** A block says its width in a byte; no number has more than 25 bits. */
const MOST_BLOCK_BYTES = 1 + (BLOCK_ROWS * 25) / 8;
/** What the kernel may read and write behind packed numbers. */
const SPARE_BYTES = 8;
/** Per block: three doubles and three singles; behind all of them, four doubles. */
const FIGURE_BYTES = 36;
const SUMMARY_BYTES = 32;
/** A day of observations every 30 s, and some more. */
const FIRST_ROWS = 4_096;

/** Values of few decimals: `values[i]` is the sum of `first` and the differences up to i, divided by 10^`decimals`. */
export interface PackedDecimal {
  readonly decimals: number;
  readonly first: number;
  readonly differences: Uint8Array;
}

/** Any doubles: differences of their upper 24 bits, and the lower 40, each XOR the one before, byte by byte. */
export interface PackedSplit {
  readonly upper: Uint8Array;
  readonly low: Uint8Array;
}

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  decimalsFound(): number;
  firstFound(): number;
  pack(numbers: number, n: number, target: number): number;
  unpack(packed: number, packedEnd: number, numbers: number, n: number, total: number): number;
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

const makeInstance = kernelMaker<Exports>("columns.as", () => Buffer.from(BINARY, "base64"));

/**
 * Packs columns of numbers and reads them back, by columns.as.ts. What its functions give lies in its memory, and is good
 * until the next call.
 */
export class ColumnKernel {
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
    this.#reserve(FIRST_ROWS);
  }

  /** Numbers from 0 to 2^25, in as few bits as the largest of each 64 needs. */
  pack(numbers: Int32Array): Uint8Array {
    this.#reserve(numbers.length);
    new Int32Array(this.#buffer, this.#numbers).set(numbers);
    return this.#bytesTo(this.#exports.pack(this.#numbers, numbers.length, this.#packed));
  }

  /** `n` numbers as `pack` packed them; null where the bytes are not those of so many. */
  unpack(packed: Uint8Array, n: number): Int32Array | null {
    const end = this.#take(packed, n);
    if (end === 0 || !this.#exports.unpack(this.#packed, end, this.#numbers, n, n)) return null;
    return new Int32Array(this.#buffer, this.#numbers, n);
  }

  /** null where they would not come back to the bit (full doubles, -0, very large ones), or one leaps too far. */
  packDecimal(values: Float64Array): PackedDecimal | null {
    this.#place(values);
    const { length } = values;
    const end = this.#exports.packDecimal(this.#values, length, this.#numbers, this.#packed, this.#others);
    if (end === 0) return null;
    const { decimalsFound, firstFound } = this.#exports;
    return { decimals: decimalsFound(), first: firstFound(), differences: this.#bytesTo(end) };
  }

  /** Writes the first of `total` values, as many as `values` holds; false where the bytes are not those of so many. */
  unpackDecimal({ decimals, first, differences }: PackedDecimal, total: number, values: Float64Array): boolean {
    const { length } = values;
    const end = this.#take(differences, total);
    const [packed, numbers, at] = [this.#packed, this.#numbers, this.#values];
    if (end === 0 || !this.#exports.unpackDecimal(packed, end, length, total, decimals, first, numbers, at))
      return false;
    values.set(new Float64Array(this.#buffer, at, length));
    return true;
  }

  /** null where they would not come back to the bit. */
  packSplit(values: Float64Array): PackedSplit | null {
    this.#place(values);
    const { length } = values;
    const [at, numbers, low] = [this.#values, this.#numbers, this.#low];
    const end = this.#exports.packSplit(at, length, numbers, low, this.#packed, this.#others);
    if (end === 0) return null;
    return { upper: this.#bytesTo(end), low: new Uint8Array(this.#buffer, low, LOW_BYTES * length) };
  }

  /** @param low five bytes for each of `values`, which are all written; false where the bytes are not those of so many */
  unpackSplit({ upper, low }: PackedSplit, values: Float64Array): boolean {
    const { length } = values;
    const end = this.#take(upper, length);
    if (end === 0 || low.length !== LOW_BYTES * length) return false;
    new Uint8Array(this.#buffer, this.#low).set(low);
    if (!this.#exports.unpackSplit(this.#packed, end, this.#low, length, this.#numbers, this.#values)) return false;
    values.set(new Float64Array(this.#buffer, this.#values, length));
    return true;
  }

  /** Numbers as runs of equal steps, each as start, step and count; null where some number is not whole, or too large. */
  runs(values: Float64Array): Float64Array | null {
    this.#place(values);
    // Three doubles for every two values, and for one that is left: what lies behind is as large.
    const end = this.#exports.findRuns(this.#values, values.length, this.#others);
    return end === 0 ? null : new Float64Array(this.#buffer, this.#others, (end - this.#others) / 8);
  }

  /** For each 64 rows three doubles and three singles, then the count, min, max and mean of all: see `buildPyramid`. */
  summarize(
    timesMs: Float64Array,
    values: Float64Array,
  ): { readonly figures: ArrayBuffer; readonly all: Float64Array } {
    this.#place(values);
    new Float64Array(this.#buffer, this.#others).set(timesMs);
    this.#exports.summarize(this.#others, this.#values, values.length, this.#packed);
    const bytes = Math.ceil(values.length / BLOCK_ROWS) * FIGURE_BYTES;
    const summary = upToDouble(this.#packed + bytes);
    return {
      figures: this.#buffer.slice(this.#packed, this.#packed + bytes),
      all: new Float64Array(this.#buffer, summary, 4),
    };
  }

  #place(values: Float64Array): void {
    this.#reserve(values.length);
    new Float64Array(this.#buffer, this.#values).set(values);
  }

  /** Where packed bytes end in memory; zero where so many numbers never need so few, or so many. */
  #take(packed: Uint8Array, total: number): number {
    // Before there is room for them: a damaged number of rows must not fill the memory.
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

  /** Makes room for so many rows: what lies in memory is lost where it has to. */
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
    const packedEnd = packed + blocks * MOST_BLOCK_BYTES;
    // First: where there is no memory for so many, all stays as it was.
    growTo(memory, packedEnd + SUMMARY_BYTES + SPARE_BYTES);
    this.#rows = capacity;
    [this.#values, this.#others, this.#numbers, this.#low] = [values, others, numbers, low];
    [this.#packed, this.#packedEnd] = [packed, packedEnd];
    this.#buffer = memory.buffer;
  }
}

/** Without operators of 32 bits, which addresses may not fit. */
function upToDouble(address: number): number {
  return 8 * Math.ceil(address / 8);
}

let shared: ColumnKernel | null = null;

/** That of this thread. */
export function columnKernel(): ColumnKernel {
  return (shared ??= new ColumnKernel());
}
