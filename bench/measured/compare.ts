// Compares two station-years from a filled cache: reads and joins them, and computes statistics, lag and difference.
import { readPairs } from "#main/app/reading/compare/pairs.ts";
import { createPace } from "#main/app/pacing.ts";
import { openCache } from "#main/store/index.ts";
import type { MarkSettings } from "#shared/bridge/methods/compare.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { report, timed } from "../harness/report.ts";

export interface CompareArguments {
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly runs: number;
}

/** Milliseconds of each run. */
export interface CompareTimes {
  readonly pair: readonly number[];
  readonly marked: readonly number[];
}

const OFF: MarkSettings = { range: null, sigmaMm: null, step: null, stuckMinutes: null };
const ALL: MarkSettings = {
  range: { min: 1_000, max: 3_000 },
  sigmaMm: 10,
  step: { gapMinutes: 60, stepMm: 20, settleMinutes: 30 },
  stuckMinutes: 60,
};

await report(async ({ cachePath, spec, runs }: CompareArguments): Promise<CompareTimes> => {
  const cache = openCache(cachePath);
  const { stationIds, range, intervalSeconds, raw } = spec;
  const pace = createPace(new AbortController().signal);
  const compare = async (first: number, marks: MarkSettings): Promise<number> => {
    const pair = [stationIds[first % stationIds.length]!, stationIds[(first + 1) % stationIds.length]!];
    const { seconds } = await timed(() =>
      readPairs(
        cache,
        {
          stationIds: pair,
          referenceId: pair[0]!,
          range,
          mode: { intervalSeconds, raw, resampled: false },
          variable: "ztd",
          heights: "WGS84_ELLIPSOID",
          joining: "nearest",
          columns: 2_000,
          marks,
          leavesOut: marks !== OFF,
        },
        pace,
      ),
    );
    return seconds * 1_000;
  };
  // Stations that are not measured are read first, so that the code is compiled.
  for (const first of [6, 8]) for (const marks of [OFF, ALL]) await compare(first, marks);
  const pair: number[] = [];
  const marked: number[] = [];
  for (let run = 0; run < runs; run++) {
    pair.push(await compare((2 * run) % 6, OFF));
    marked.push(await compare((2 * run) % 6, ALL));
  }
  cache.close();
  return { pair, marked };
});
