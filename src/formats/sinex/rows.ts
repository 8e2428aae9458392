import type { SeriesRows } from "#shared/series/rows.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { FormatFailure } from "../error.ts";
import { guarded, type Pace, type SeriesFileSource } from "../source.ts";
import type { ByteSink } from "../sink.ts";
import { type EpochText, type Parameter, VALUE_DECIMALS, VALUE_WIDTH } from "./text.ts";

/** Size of a block written to the disk. */
const BLOCK_BYTES = 1 << 19;

interface RowForm {
  /** Station codes in the order of the source. */
  readonly codes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly epoch: EpochText;
  /** Added to the time of a row to get its epoch. */
  readonly offsetMs: number;
}

/** Writes the lines of TROP/SOLUTION: station, epoch, and a column for each parameter. */
export async function writeRows(
  sink: ByteSink,
  source: SeriesFileSource,
  { codes, parameters, epoch, offsetMs }: RowForm,
  pace: Pace,
): Promise<void> {
  let lines = new LineBytes();
  for (const [station, { id }] of source.stations.entries()) {
    const code = ` ${codes[station]} `;
    for (const rows of guarded(() => source.blocks(station))) {
      const columns = parameters.map((p) => ({ name: p.name, values: parameterValues(rows, p) }));
      for (let row = 0; row < rows.timesMs.length; row++) {
        const timeMs = rows.timesMs[row]!;
        if (timeMs % 1000 !== 0) throw fractionOfSecond(id, timeMs);
        lines.text(code);
        lines.text(epoch.text(timeMs + offsetMs));
        for (const { name, values } of columns) {
          const value = values?.[row] ?? Number.NaN;
          if (!lines.value(value)) throw unwritable(value, name, id, timeMs);
        }
        lines.end();
        if (lines.size < BLOCK_BYTES) continue;
        await sink.write(lines.bytes);
        // The sink still uses the previous buffer.
        lines = new LineBytes();
      }
      await pace.step(rows.timesMs.length);
    }
  }
  await sink.write(lines.bytes);
}

function parameterValues(rows: SeriesRows, { variable }: Parameter): Float64Array | undefined {
  const column = variable === null ? undefined : rows.columns[variable];
  return column?.kind === "scalar" ? column.values : undefined;
}

const NO_VALUE = -999;
const MISSING = ` ${NO_VALUE.toFixed(VALUE_DECIMALS)}`;
const SCALE = 10 ** VALUE_DECIMALS;
/** Largest value of a column, in units of the last decimal. */
const MAX_SCALED = 10 ** (VALUE_WIDTH - 1) - 1;
const [BLANK, POINT, ZERO, LINE_FEED] = [0x20, 0x2e, 0x30, 0x0a] as const;
/** Longer than any line. */
const SPARE_BYTES = 1 << 12;

/** A buffer of lines. Formatting into bytes is four times as fast as creating a string for each value. */
class LineBytes {
  readonly #bytes = Buffer.allocUnsafe(BLOCK_BYTES + SPARE_BYTES);
  size = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }

  /** @param ascii only ASCII characters */
  text(ascii: string): void {
    for (let i = 0; i < ascii.length; i++) this.#bytes[this.size++] = ascii.charCodeAt(i);
  }

  end(): void {
    this.#bytes[this.size++] = LINE_FEED;
  }

  /** Appends a blank and a value; returns false if it does not fit, or would be read as "no value". */
  value(value: number): boolean {
    if (Number.isNaN(value)) this.text(MISSING);
    else if (!this.#appendFast(value)) {
      const text = value.toFixed(VALUE_DECIMALS);
      if (!Number.isFinite(value) || text.length > VALUE_WIDTH || value <= NO_VALUE) return false;
      this.text(` ${text.padStart(VALUE_WIDTH)}`);
    }
    return true;
  }

  /** Appends the digits of `toFixed`; returns false for negative values and near ties, where the rounded product is not reliable. */
  #appendFast(value: number): boolean {
    const scaled = value * SCALE;
    const whole = Math.round(scaled);
    if (!(whole >= 0 && whole <= MAX_SCALED && value >= 0) || Math.abs(scaled - whole) > 0.4999) return false;
    const first = this.size;
    this.size += VALUE_WIDTH + 1;
    let at = this.size;
    let rest = whole;
    for (let digits = 0; rest > 0 || digits <= VALUE_DECIMALS; digits++) {
      if (digits === VALUE_DECIMALS) this.#bytes[--at] = POINT;
      const tenth = Math.trunc(rest / 10);
      this.#bytes[--at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    while (at > first) this.#bytes[--at] = BLANK;
    return true;
  }
}

function unwritable(value: number, name: string, stationId: string, timeMs: number): FormatFailure {
  return new FormatFailure(
    "invalid",
    `Station ${stationId} has the value ${value} at ${formatUtc(timeMs)}, which the column ${name} of SINEX_TRO cannot hold. ` +
      "Leave that time out, or choose another format.",
  );
}

function fractionOfSecond(stationId: string, timeMs: number): FormatFailure {
  return new FormatFailure(
    "invalid",
    `Station ${stationId} has an observation at ${formatUtc(timeMs)}, and SINEX_TRO has whole seconds only. ` +
      "Choose another format, or means over an interval.",
  );
}
