import { defined } from "#shared/defined.ts";
import { commonStepMs, appendMoments, emptyRuns } from "#shared/time/runs.ts";
import { FormatFailure } from "../../error.ts";
import { Pace, satelliteBlocks, type SeriesFileSource, type WriteOptions } from "../../source.ts";
import { BandRegistry } from "#shared/satellites/cn0.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";

/** The series of one satellite at one station. */
interface SatellitePair {
  readonly station: number;
  readonly prn: string;
  readonly rows: number;
}

export interface SatelliteSurvey {
  /** By station, then by identifier. */
  readonly pairs: readonly SatellitePair[];
  readonly bands: BandRegistry;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly stepMs: number | null;
  /** Whether every moment is a whole second. */
  readonly wholeSeconds: boolean;
}

/** Far more than existing satellites; a station with more does not send identifiers. */
const MAX_SATELLITES = 1_000;

/** Reads all rows once to determine satellites, their numbers of rows and bands. Memory stays constant. */
export async function surveySatellites(source: SeriesFileSource, options: WriteOptions): Promise<SatelliteSurvey> {
  if (!source.variables.includes("prn"))
    throw new FormatFailure("invalid", "A file of satellites needs the variable prn, which names them.");
  const pace = new Pace({ ...options, onProgress: () => {} });
  const bands = new BandRegistry();
  const reader = new SatelliteReader(bands);
  const pairs: SatellitePair[] = [];
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  let stepMs: number | null = null;
  let wholeSeconds = true;
  for (const [station, { id }] of source.stations.entries()) {
    const counts = new Map<string, number>();
    for (const block of satelliteBlocks(source, station)) {
      const { timesMs, prns, prn } = reader.read(block);
      const seen = new Uint32Array(prns.length);
      for (const index of prn) seen[index]!++;
      prns.forEach((name, index) => counts.set(name, (counts.get(name) ?? 0) + seen[index]!));
      if (counts.size > MAX_SATELLITES) throw tooManySatellites(id);
      wholeSeconds &&= timesMs.every((timeMs) => timeMs % 1000 === 0);
      const [first, last] = [timesMs[0], timesMs.at(-1)];
      if (first !== undefined && last !== undefined) {
        firstMs = Math.min(firstMs ?? Number.POSITIVE_INFINITY, first);
        lastMs = Math.max(lastMs ?? Number.NEGATIVE_INFINITY, last);
      }
      stepMs ??= commonStep(timesMs);
      await pace.step();
    }
    for (const prn of [...counts.keys()].toSorted()) pairs.push({ station, prn, rows: defined(counts.get(prn)) });
  }
  options.onSatelliteProblems?.(reader.problems);
  return { pairs, bands, firstMs, lastMs, stepMs, wholeSeconds };
}

function commonStep(timesMs: Float64Array): number | null {
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
