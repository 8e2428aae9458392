import type { Runs } from "#shared/time/runs.ts";
import { FormatFailure } from "../error.ts";
import type { Pace } from "../pace.ts";
import { guarded, timesOf } from "../sourceRows.ts";
import type { SeriesFileSource, WriteOptions, WrittenFile } from "../source.ts";
import type { TimeDigits, TimeStyle } from "./kernel/kernel.ts";

export type { TimeDigits } from "./kernel/kernel.ts";

export interface CsvOptions extends WriteOptions {
  /**
   * standard: UTF-8, ISO 8601 times. excel: a byte order mark, times as `YYYY-MM-DD HH:MM:SS`, and a new numbered file
   * wherever a sheet would be full.
   */
  readonly preset?: "standard" | "excel";
  /** Digits of the fraction of seconds, the same in the whole file; found out from the times where it is not given. */
  readonly fractionDigits?: TimeDigits;
}

export interface WrittenCsv extends WrittenFile {
  /** All files, in order: one, unless the Excel preset had to split. `path` is the first. */
  readonly paths: readonly string[];
}

/** Rows of a spreadsheet, the header included. */
const SHEET_ROWS = 1_048_576;

export function timeStyle(options: CsvOptions): TimeStyle {
  return options.preset === "excel" ? "excel" : "iso";
}

export function maxRowsPerFile(options: CsvOptions): number {
  return options.preset === "excel" ? SHEET_ROWS - 1 : Number.POSITIVE_INFINITY;
}

/** Names of the columns as the first line, after a byte order mark where Excel is to know that this is UTF-8. */
export function headLine(columns: readonly string[], options: CsvOptions): Uint8Array {
  return new TextEncoder().encode(`${options.preset === "excel" ? "\uFEFF" : ""}${columns.join(",")}\r\n`);
}

/** 3 as soon as one moment is not a whole second, else 0. Reads the times only, and stops at the first such moment. */
export async function neededTimeDigits(source: SeriesFileSource, options: CsvOptions, pace: Pace): Promise<TimeDigits> {
  const asked = options.fractionDigits;
  if (asked === 3) return 3;
  for (let station = 0; station < source.stations.length; station++) {
    for (const times of guarded(() => timesOf(source, station))) {
      if (!areWholeSeconds(times)) {
        if (asked === undefined) return 3;
        throw new FormatFailure("invalid", "The times have fractions of a second: fractionDigits has to be 3.");
      }
      await pace.breathe();
    }
  }
  return 0;
}

function areWholeSeconds({ startsMs, stepsMs }: Runs): boolean {
  return [startsMs, stepsMs].every((list) => list.every((ms) => Math.floor(ms / 1000) * 1000 === ms));
}
