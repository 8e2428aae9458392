import { formatUtc } from "#shared/time/utc.ts";
import { growTo, kernelFactory, type WasmMemory } from "#shared/wasm.ts";
import { BINARY } from "./binary.ts";

/** Decimals of the seconds, the same for all times of a file. */
export type TimeDigits = 0 | 3;

/** Properties of all rows of a file. */
export interface RowForm {
  readonly digits: TimeDigits;
  /** Number of fields after the time. */
  readonly columns: number;
  /** Length of the longest prefix. */
  readonly prefixBytes: number;
}

/** A column: a number per row (not finite: no value), a function that returns the field of a row, or null without values. */
export type RowColumn = Float64Array | ((row: number) => string) | null;

/** Maximum number of rows copied into the kernel's memory at once. */
export const SLICE_ROWS = 4_096;

const BUFFER_BYTES = 1 << 20;
const MAX_TIME_BYTES = 24;
/** The longest numbers are `-1.2345678901234567e-300` and `-0.0000012345678901234567`, after a comma. */
const MAX_FIELD_BYTES = 26;
/** Bytes that the kernel may write beyond the end of a text. */
const SPARE_BYTES = 8;

interface Exports {
  readonly memory: WasmMemory;
  heap(): number;
  start(hasFraction: number): void;
  setColumns(times: number, columns: number, count: number): void;
  setPrefix(at: number, bytes: number, rowBytes: number): void;
  write(from: number, to: number, at: number, limit: number): number;
  written(): number;
  writeNumber(value: number, at: number): number;
  writeTime(ms: number, at: number): number;
}

const makeInstance = kernelFactory<Exports>("rows.as", () => Buffer.from(BINARY, "base64"));

/**
 * Formats rows with rows.as.ts in its memory, in two buffers: one is filled while the other is written to disk. Only
 * `growBuffers` moves the memory.
 */
export class RowKernel {
  /** The memory; an address is an index. */
  bytes: Buffer;
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
    this.bytes = Buffer.from(this.#exports.memory.buffer);
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

  /** Sets the beginning of the next rows, including the comma. */
  setPrefix(prefix: Uint8Array): void {
    this.bytes.set(prefix, this.#prefix);
    this.#rowBytes = prefix.length + this.#fixedBytes;
    this.#exports.setPrefix(this.#prefix, prefix.length, this.#rowBytes);
  }

  /** Copies at most SLICE_ROWS rows into memory: row `from` becomes row 0 of the kernel. */
  load(timesMs: Float64Array, columns: readonly RowColumn[], from: number, to: number): void {
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

  /** Formats loaded rows, `from` up to `to` (exclusive), into the buffer. Returns the number of rows that fitted. */
  write(from: number, to: number): number {
    this.#at = this.#exports.write(from, to, this.#at, this.#limit);
    return this.#exports.written();
  }

  /** Returns the content of the buffer and switches to the other one: the content stays valid until the next call. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(this.#buffer, this.#at);
    [this.#buffer, this.#other] = [this.#other, this.#buffer];
    this.#at = this.#buffer;
    return taken;
  }

  /** Doubles the buffers, for a row larger than a buffer. Both must be empty, and taken content is invalidated. */
  growBuffers(): void {
    this.#bufferBytes *= 2;
    this.#allocateBuffers();
  }

  /** Formats a number at an address. Returns its end. */
  writeNumber(value: number, at: number): number {
    return this.#exports.writeNumber(value, at);
  }

  /** Formats a moment at an address. Returns its end. */
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
    // A UTF-16 code unit has at most three bytes in UTF-8.
    return at + 3 * field.length + this.#rowBytes > this.#limit ? 0 : this.#put(field, at);
  }

  /** Short ASCII texts are written faster by this loop than by Buffer. */
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
