import type { Runs } from "#shared/time/runs.ts";
import { FormatFailure } from "../error.ts";
import type { Pace } from "../pace.ts";
import { guarded, timesOf } from "../sourceRows.ts";
import type { SeriesFileSource, WriteOptions } from "../source.ts";
import type { StationField } from "../stationFields.ts";
import type { TimeDigits } from "./kernel/kernel.ts";

export type { TimeDigits } from "./kernel/kernel.ts";

export interface CsvOptions extends WriteOptions {
  /** Decimals of the seconds, the same in the whole file; determined from the times by default. */
  readonly fractionDigits?: TimeDigits;
  /** Station fields in every row, beside the identifier; none by default. */
  readonly stationFields?: readonly StationField[];
}

/** Returns the header line. */
export function headLine(columns: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${columns.join(",")}\r\n`);
}

/** Returns 3 if any time is not a whole second, else 0. Reads only times, up to the first such one. */
export async function requiredTimeDigits(
  source: SeriesFileSource,
  options: { readonly fractionDigits?: TimeDigits },
  pace: Pace,
): Promise<TimeDigits> {
  const requested = options.fractionDigits;
  if (requested === 3) return 3;
  const times = source.timesAround ?? ((station: number) => timesOf(source, station));
  for (let station = 0; station < source.stations.length; station++) {
    for (const runs of guarded(() => times(station))) {
      if (!areWholeSeconds(runs)) {
        if (requested === undefined) return 3;
        throw new FormatFailure("invalid", "The times have fractions of a second: fractionDigits has to be 3.");
      }
      await pace.step();
    }
  }
  return 0;
}

function areWholeSeconds({ list }: Runs): boolean {
  return list.every(({ startMs, stepMs }) => startMs % 1_000 === 0 && stepMs % 1_000 === 0);
}
