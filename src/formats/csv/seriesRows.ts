import type { Column, SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { MAX_NUMBER_BYTES, writeNumber } from "./number.ts";
import { csvField, maxFieldBytes } from "./text.ts";
import { MAX_TIME_BYTES, type TimeText } from "./time.ts";

const COMMA = 44;
const LINE_END = 0x0d0a;

/** Turns rows of one station into bytes. */
export class SeriesRowText {
  /** The station as 32-bit words, zeros at the end. */
  readonly #prefixWords: Uint32Array;
  readonly #prefixBytes: number;
  readonly #variables: readonly Variable[];
  readonly #time: TimeText;
  readonly #fixedBytes: number;

  constructor(stationId: string, variables: readonly Variable[], time: TimeText) {
    const prefix = Buffer.from(`${csvField(stationId)},`);
    const padded = Buffer.concat([prefix, Buffer.alloc(3)]);
    this.#prefixWords = Uint32Array.from({ length: Math.ceil(prefix.length / 4) }, (_, i) =>
      padded.readUint32BE(4 * i),
    );
    this.#prefixBytes = prefix.length;
    this.#variables = variables;
    this.#time = time;
    this.#fixedBytes = prefix.length + MAX_TIME_BYTES + variables.length * (MAX_NUMBER_BYTES + 1) + 2;
  }

  /** How many rows from `from` on surely fit into `room` bytes, at most `most`; and the bytes of the first one. */
  fitting(rows: SeriesRows, from: number, most: number, room: number): { count: number; firstBytes: number } {
    const texts = this.#variables.map((v) => rows.columns[v]).filter((c) => c?.kind === "text");
    const end = Math.min(rows.timesMs.length, from + most);
    if (texts.length === 0) {
      return { count: Math.min(end - from, Math.floor(room / this.#fixedBytes)), firstBytes: this.#fixedBytes };
    }
    const bytesOf = (row: number): number =>
      texts.reduce((sum, c) => sum + maxFieldBytes(c.values[row] ?? ""), this.#fixedBytes);
    let row = from;
    for (let left = room; row < end; row++) {
      left -= bytesOf(row);
      if (left < 0) break;
    }
    return { count: row - from, firstBytes: bytesOf(from) };
  }

  /** Writes rows `from` to `to` (exclusive) and returns the position after them. There must be room. */
  write(rows: SeriesRows, from: number, to: number, out: Buffer, at: number): number {
    const columns = this.#variables.map((v) => rows.columns[v]);
    const words = this.#prefixWords;
    const prefixBytes = this.#prefixBytes;
    const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
    for (let row = from; row < to; row++) {
      // Four bytes at a time; what goes beyond the prefix is overwritten by the time at once.
      for (let i = 0; i < words.length; i++) view.setUint32(at + 4 * i, words[i]!);
      at = this.#time.write(view, at + prefixBytes, rows.timesMs[row]!);
      for (let c = 0; c < columns.length; c++) {
        view.setUint8(at++, COMMA);
        at = writeField(columns[c], row, out, view, at);
      }
      view.setUint16(at, LINE_END);
      at += 2;
    }
    return at;
  }
}

function writeField(column: Column | undefined, row: number, out: Buffer, view: DataView, at: number): number {
  if (column === undefined) return at;
  if (column.kind === "scalar") {
    const value = column.values[row]!;
    return Number.isFinite(value) ? writeNumber(view, at, value) : at;
  }
  const text = column.values[row];
  return text ? at + out.write(csvField(text), at) : at;
}
