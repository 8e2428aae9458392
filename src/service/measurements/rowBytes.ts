import { DAY_MS, formatUtc } from "#shared/time/utc.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { NoDataStyle } from "../options.ts";
import type { WorldStation } from "../world/types.ts";
import { writeDouble, writeFixed } from "./digits.ts";
import { type RowBlock, type RowForm, stationKey } from "./rows.ts";

const CHUNK_BYTES = 262_144;
/** More than any row needs in addition to the name of its station. */
const ROW_BYTES = 65_536;
const TIME_AT = ',{"timestamp":"'.length;
const ZERO = 48;

const NO_DATA: Readonly<Record<NoDataStyle, string | null>> = { null: "null", NaN: '"NaN"', empty: '""', omit: null };

interface RowFormat {
  readonly stations: readonly Pick<WorldStation, "id" | "displayName">[];
  readonly variables: readonly Variable[];
  /** Maximum digits after the point; null for those of a double. */
  readonly decimals: number | null;
  readonly form: RowForm;
}

/** The start of a station's rows up to its name, written once; only the time changes from row to row. */
interface RowHead {
  readonly bytes: Buffer;
  dayMs: number;
}

/**
 * Writes measurement rows (2.5) as JSON directly into bytes, each after a comma, without an object or a string per row.
 * When `isFull`, the current chunk must be removed by `take`.
 */
export class RowBytes {
  readonly #heads: readonly RowHead[];
  readonly #keys: readonly Buffer[];
  readonly #decimals: number | null;
  readonly #noData: Buffer | null;
  readonly #capacity: number;
  #bytes: Buffer;
  #spare: Buffer;
  #at = 0;
  #fullAt: number;

  constructor(format: RowFormat) {
    this.#heads = format.stations.map((station) => ({
      bytes: headOf(station, stationKey(format.form)),
      dayMs: Number.NaN,
    }));
    this.#keys = format.variables.map((name) => Buffer.from(`,"${name}":`));
    this.#decimals = format.decimals;
    const noData = NO_DATA[format.form.noData];
    this.#noData = noData === null ? null : Buffer.from(noData);
    this.#capacity = CHUNK_BYTES + ROW_BYTES + Math.max(0, ...this.#heads.map((head) => head.bytes.length));
    this.#fullAt = CHUNK_BYTES;
    this.#bytes = Buffer.allocUnsafeSlow(this.#capacity);
    this.#spare = Buffer.allocUnsafeSlow(this.#capacity);
  }

  get isFull(): boolean {
    return this.#at >= this.#fullAt;
  }

  /** Removes the current chunk. The next one has other memory; the one after that reuses this memory. */
  take(): Uint8Array {
    const chunk = this.#bytes.subarray(0, this.#at);
    [this.#bytes, this.#spare] = [this.#spare, this.#bytes];
    this.#at = 0;
    return chunk;
  }

  text(text: string): void {
    this.#at += this.#bytes.write(text, this.#at);
  }

  row(station: number, block: RowBlock, row: number, isFirst: boolean): void {
    const head = this.#heads[station]!;
    setTime(head, block.timesMs[row]!);
    this.#at += head.bytes.copy(this.#bytes, this.#at, isFirst ? 1 : 0);
    for (let c = 0; c < this.#keys.length; c++) {
      const key = this.#keys[c]!;
      const column = block.columns[c]!;
      if (column.kind === "scalar") this.#number(key, column.values[row]!);
      else this.#string(key, column.values[row]!);
    }
    this.#bytes[this.#at++] = 125; // }
  }

  #put(bytes: Buffer): void {
    const target = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < bytes.length; i++) target[at++] = bytes[i]!;
    this.#at = at;
  }

  #absent(key: Buffer): void {
    if (this.#noData === null) return;
    this.#put(key);
    this.#put(this.#noData);
  }

  #string(key: Buffer, value: string | null): void {
    if (value === null) return this.#absent(key);
    this.#put(key);
    const text = JSON.stringify(value);
    if (text.length * 3 > this.#capacity - this.#at) throw new Error("A text of a row is too long to be sent.");
    this.#at += this.#bytes.write(text, this.#at);
  }

  #number(key: Buffer, value: number): void {
    if (Number.isNaN(value)) return this.#absent(key);
    this.#put(key);
    this.#at =
      this.#decimals === null
        ? writeDouble(this.#bytes, this.#at, value)
        : writeFixed(this.#bytes, this.#at, value, this.#decimals);
  }
}

function headOf(station: Pick<WorldStation, "id" | "displayName">, key: string): Buffer {
  const time = formatUtc(0);
  return Buffer.from(
    `,{"timestamp":"${time}","${key}":${JSON.stringify(station.id)},"display_name":${JSON.stringify(station.displayName)}`,
  );
}

/** Writes `hh:mm:ss.mmm` into the head, and the date if the day has changed. */
function setTime(head: RowHead, timeMs: number): void {
  const { bytes } = head;
  let ms = timeMs - head.dayMs;
  if (!(ms >= 0 && ms < DAY_MS)) {
    head.dayMs = Math.floor(timeMs / DAY_MS) * DAY_MS;
    bytes.write(formatUtc(head.dayMs).slice(0, 10), TIME_AT, "latin1");
    ms = timeMs - head.dayMs;
  }
  const seconds = (ms / 1000) | 0;
  const hour = (seconds / 3600) | 0;
  const minute = ((seconds / 60) | 0) - hour * 60;
  twoDigits(bytes, TIME_AT + 11, hour);
  twoDigits(bytes, TIME_AT + 14, minute);
  twoDigits(bytes, TIME_AT + 17, seconds - hour * 3600 - minute * 60);
  const fraction = ms - seconds * 1000;
  const hundreds = (fraction / 100) | 0;
  bytes[TIME_AT + 20] = ZERO + hundreds;
  twoDigits(bytes, TIME_AT + 21, fraction - hundreds * 100);
}

function twoDigits(bytes: Buffer, at: number, value: number): void {
  const tens = (value / 10) | 0;
  bytes[at] = ZERO + tens;
  bytes[at + 1] = ZERO + value - tens * 10;
}
