import { formatUtc } from "#shared/time/utc.ts";
import { growTo, kernelFactory, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

/** Digits after the decimal point of the seconds: the same for all times of a file. */
export type TimeDigits = 0 | 3;

/** What all rows of a file have in common. */
export interface RowForm {
  readonly digits: TimeDigits;
  /** Fields after the time. */
  readonly columns: number;
  /** Bytes of the longest prefix. */
  readonly prefixBytes: number;
}

/** A number per row (without a value where it is not finite), a function that tells the field of a row, or nothing in any row. */
export type RowColumn = Float64Array | ((row: number) => string) | null;

/** Rows that are copied into the kernel's memory at a time. */
export const SLICE_ROWS = 4_096;

const BUFFER_BYTES = 1 << 20;
const MAX_TIME_BYTES = 24;
/** A comma and `-1.2345678901234567e-300` or `-0.0000012345678901234567`. */
const MAX_FIELD_BYTES = 26;
/** What the kernel may write beyond a text. */
const SPARE_BYTES = 8;

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  start(hasFraction: number): void;
  setColumns(times: number, columns: number, count: number): void;
  setPrefix(at: number, bytes: number, room: number): void;
  write(from: number, to: number, at: number, limit: number): number;
  written(): number;
  writeNumber(value: number, at: number): number;
  writeTime(ms: number, at: number): number;
}

const makeInstance = kernelFactory<Exports>("rows.as", () => Buffer.from(BINARY, "base64"));

/**
 * The text of rows, made by rows.as.ts in its memory: two buffers, one to be filled while the other is on its way to the
 * disk. The memory stays where it is unless `growBuffers` is called.
 */
export class RowKernel {
  /** The memory; an address is an index. */
  bytes!: Buffer;
  readonly #exports: Exports;
  readonly #times: number;
  readonly #values: readonly number[];
  readonly #addresses: number;
  readonly #prefix: number;
  readonly #fixedBytes: number;
  #free: number;
  #columns: readonly RowColumn[] = [];
  #firstRow = 0;
  #rowBytes = 0;
  #bufferBytes = BUFFER_BYTES;
  #buffer = 0;
  #other = 0;
  #at = 0;

  constructor({ digits, columns, prefixBytes }: RowForm) {
    this.#exports = makeInstance({
      textOf: (value, at) => this.#put(String(value), at),
      dateOf: (dayMs, at) => this.#put(formatUtc(dayMs).slice(0, 10), at),
      fieldOf: (column, row, at) => this.#putField(column, row, at),
    });
    this.#exports.start(Number(digits === 3));
    this.#free = this.#exports.heap();
    this.#times = this.#allocate(8 * SLICE_ROWS);
    this.#values = Array.from({ length: columns }, () => this.#allocate(8 * SLICE_ROWS));
    this.#addresses = this.#allocate(4 * columns);
    this.#prefix = this.#allocate(prefixBytes + SPARE_BYTES);
    this.#fixedBytes = MAX_TIME_BYTES + columns * MAX_FIELD_BYTES + 2 + SPARE_BYTES;
    this.#exports.setColumns(this.#times, this.#addresses, columns);
    this.#allocateBuffers();
  }

  /** What the next rows begin with, the comma included. */
  setPrefix(prefix: Uint8Array): void {
    this.bytes.set(prefix, this.#prefix);
    this.#rowBytes = prefix.length + this.#fixedBytes;
    this.#exports.setPrefix(this.#prefix, prefix.length, this.#rowBytes);
  }

  /** Brings rows into memory, at most SLICE_ROWS: row `from` is the kernel's row 0. */
  place(timesMs: Float64Array, columns: readonly RowColumn[], from: number, to: number): void {
    const { buffer } = this.bytes;
    this.#columns = columns;
    this.#firstRow = from;
    new Float64Array(buffer, this.#times).set(timesMs.subarray(from, to));
    const addresses = new Uint32Array(buffer, this.#addresses);
    for (const [i, values] of this.#values.entries()) {
      const column = columns[i] ?? null;
      addresses[i] = typeof column === "function" ? 0 : values;
      if (column === null) new Float64Array(buffer, values, to - from).fill(Number.NaN);
      else if (typeof column !== "function") new Float64Array(buffer, values).set(column.subarray(from, to));
    }
  }

  /** Adds rows that are in memory to the buffer, `from` up to `to` (exclusive), and tells how many there was room for. */
  write(from: number, to: number): number {
    this.#at = this.#exports.write(from, to, this.#at, this.#limit);
    return this.#exports.written();
  }

  /** What the buffer holds; it is left alone from here on until this is called again. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(this.#buffer, this.#at);
    [this.#buffer, this.#other] = [this.#other, this.#buffer];
    this.#at = this.#buffer;
    return taken;
  }

  /** Makes room for a row that is larger than a buffer. Nothing may be in the buffers, and what was taken not be needed. */
  growBuffers(): void {
    this.#bufferBytes *= 2;
    this.#allocateBuffers();
  }

  /** Write a number, and a moment, at an address, and return where they end. */
  writeNumber(value: number, at: number): number {
    return this.#exports.writeNumber(value, at);
  }

  writeTime(ms: number, at: number): number {
    return this.#exports.writeTime(ms, at);
  }

  get #limit(): number {
    return this.#buffer + this.#bufferBytes;
  }

  #allocateBuffers(): void {
    this.#buffer = this.#allocate(this.#bufferBytes);
    this.#other = this.#allocate(this.#bufferBytes);
    this.#at = this.#buffer;
  }

  #allocate(bytes: number): number {
    const address = (this.#free + 7) & ~7;
    this.#free = address + bytes;
    const { memory } = this.#exports;
    growTo(memory, this.#free);
    this.bytes = Buffer.from(memory.buffer);
    return address;
  }

  #putField(column: number, row: number, at: number): number {
    const fieldOf = this.#columns[column] as (row: number) => string;
    const field = fieldOf(this.#firstRow + row);
    // A character has at most three bytes.
    return at + 3 * field.length + this.#rowBytes > this.#limit ? 0 : this.#put(field, at);
  }

  /** Short texts are written faster here than by those who know all of UTF-8. */
  #put(text: string, at: number): number {
    const { bytes } = this;
    if (text.length > 32) return at + bytes.write(text, at);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return at + bytes.write(text, at);
      bytes[at + i] = code;
    }
    return at + text.length;
  }
}
