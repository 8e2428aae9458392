import type { Runs } from "#shared/time/runs.ts";
import { FormatFailure } from "../error.ts";
import type { Pace } from "../pace.ts";
import { guarded, timesOf } from "../sourceRows.ts";
import type { SeriesFileSource, WriteOptions } from "../source.ts";
import type { StationField } from "../stationFields.ts";
import type { TimeDigits } from "./kernel/kernel.ts";

export type { TimeDigits } from "./kernel/kernel.ts";

export interface CsvOptions extends WriteOptions {
  /** Digits of the fraction of seconds, the same in the whole file; found out from the times where it is not given. */
  readonly fractionDigits?: TimeDigits;
  /** What every row says of its station, beside the identifier; nothing where it is not given. */
  readonly stationFields?: readonly StationField[];
}

/** Names of the columns as the first line. */
export function headLine(columns: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${columns.join(",")}\r\n`);
}

/** 3 as soon as one moment is not a whole second, else 0. Reads the times only, and stops at the first such moment. */
export async function neededTimeDigits(
  source: SeriesFileSource,
  options: { readonly fractionDigits?: TimeDigits },
  pace: Pace,
): Promise<TimeDigits> {
  const asked = options.fractionDigits;
  if (asked === 3) return 3;
  const times = source.timesAround ?? ((station: number) => timesOf(source, station));
  for (let station = 0; station < source.stations.length; station++) {
    for (const runs of guarded(() => times(station))) {
      if (!areWholeSeconds(runs)) {
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
