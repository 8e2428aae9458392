import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { commonStepMs, appendMoments, emptyRuns } from "../netcdf/runs.ts";
import { FormatFailure } from "../error.ts";
import type { Pace } from "../pace.ts";
import type { SeriesFileSource } from "../source.ts";
import { guarded } from "../sourceRows.ts";
import { BandRegistry } from "./cn0.ts";
import { SatelliteParser, type SatelliteProblemCounts, type SatelliteRow } from "./parse.ts";

/** One satellite seen from one station: a series of its own. */
export interface SatellitePair {
  readonly station: number;
  readonly prn: string;
  readonly rows: number;
}

export interface SatelliteSurvey {
  /** By station, then by identifier. */
  readonly pairs: readonly SatellitePair[];
  readonly bands: BandRegistry;
  readonly problems: SatelliteProblemCounts;
  readonly stationsWithRows: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly stepMs: number | null;
  /** Whether every moment is a whole second. */
  readonly wholeSeconds: boolean;
}

/** Far more than there are satellites; a station beyond it sends something else as identifiers. */
const MAX_SATELLITES = 1_000;

/** The first pass over the rows: which satellites, how often, on which bands. Reads everything, keeps only counts. */
export async function surveySatellites(source: SeriesFileSource, pace: Pace): Promise<SatelliteSurvey> {
  const bands = new BandRegistry();
  const parser = new SatelliteParser(bands);
  const pairs: SatellitePair[] = [];
  let stationsWithRows = 0;
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  let stepMs: number | null = null;
  let wholeSeconds = true;
  for (let station = 0; station < source.stations.length; station++) {
    const counts = new Map<string, number>();
    for (const rows of guarded(() => source.blocks(station))) {
      for (let row = 0; row < rows.timesMs.length; row++) {
        for (const prn of parseRow(parser, rows, row).prns) counts.set(prn, (counts.get(prn) ?? 0) + 1);
        if (rows.timesMs[row]! % 1000 !== 0) wholeSeconds = false;
      }
      if (counts.size > MAX_SATELLITES) throw tooManySatellites(source.stations[station]!.id);
      if (rows.timesMs.length > 0) {
        firstMs = Math.min(firstMs ?? Number.POSITIVE_INFINITY, rows.timesMs[0]!);
        lastMs = Math.max(lastMs ?? Number.NEGATIVE_INFINITY, rows.timesMs.at(-1)!);
      }
      stepMs ??= stepOf(rows.timesMs);
      await pace.breathe();
    }
    if (counts.size > 0) stationsWithRows++;
    for (const prn of [...counts.keys()].toSorted()) pairs.push({ station, prn, rows: counts.get(prn)! });
  }
  return { pairs, bands, problems: parser.problems, stationsWithRows, firstMs, lastMs, stepMs, wholeSeconds };
}

/** The satellites of one row of a block, whichever of their variables the source has. */
export function parseRow(parser: SatelliteParser, rows: SeriesRows, row: number): SatelliteRow {
  return parser.parse(
    textAt(rows, "prn", row),
    textAt(rows, "el", row),
    textAt(rows, "az", row),
    textAt(rows, "snr", row),
  );
}

function textAt(rows: SeriesRows, variable: Variable, row: number): string | null {
  const column = rows.columns[variable];
  return column?.kind === "text" ? (column.values[row] ?? null) : null;
}

function stepOf(timesMs: Float64Array): number | null {
  const runs = emptyRuns();
  appendMoments(runs, timesMs);
  return commonStepMs(runs);
}

function tooManySatellites(stationId: string): FormatFailure {
  return new FormatFailure(
    "source",
    `Station ${stationId} names more satellites than there are; its texts cannot be read.`,
  );
}
