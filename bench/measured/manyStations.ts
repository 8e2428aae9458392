// Queries of the window to a cache of many station-years: for one station, and for all.
import { readAvailability } from "#main/app/reading/availability.ts";
import { readAllGaps } from "#main/app/reading/gaps.ts";
import { createPace } from "#main/app/pace.ts";
import { readSnapshots } from "#main/app/reading/snapshot.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { peakMb, report, timed } from "../harness/report.ts";

export interface ManyStationsArguments {
  readonly cachePath: string;
  /** Every station of the cache. */
  readonly spec: JobSpec;
  readonly columns: number;
  readonly runs: number;
}

/** Milliseconds of each run. */
export interface ManyStationsTimes {
  readonly draw: readonly number[];
  readonly read: readonly number[];
  readonly gapsOfOne: readonly number[];
  readonly availability: readonly number[];
  readonly snapshot: readonly number[];
  readonly gapsOfAll: readonly number[];
  readonly peakMb: number;
}

const NO_FAILURES = { failed: () => [], reason: () => null, isForbidden: () => false };
const NO_JOBS = { jobs: () => [], verdicts: () => [] };

await report(async ({ cachePath, spec, columns, runs }: ManyStationsArguments): Promise<ManyStationsTimes> => {
  const { stationIds, range, intervalSeconds, raw } = spec;
  const mode = { intervalSeconds, raw, resampled: false };
  const pace = createPace(new AbortController().signal);
  const nowMs = range.endMs;
  const gapsOf = async (cache: Cache, ids: readonly string[]): Promise<void> => {
    const sources = { cache, users: NO_JOBS, connectionId: "bench", nowMs };
    const query = { stationIds: ids, variables: ["ztd" as const], range, mode, minimumMs: 5 * MINUTE_MS };
    const series = await readAllGaps(sources, query, pace);
    if (series.length !== ids.length) throw new Error("stations are missing");
  };
  const ofOne = async (work: (cache: Cache, stationId: string) => unknown): Promise<number[]> => {
    const cache = openCache(cachePath);
    // Stations that are not measured are read first, so that the code is compiled. Each run reads a new station.
    for (const id of stationIds.slice(-2)) await work(cache, id);
    const times: number[] = [];
    for (const id of stationIds.slice(0, runs)) times.push(await ms(() => work(cache, id)));
    cache.close();
    return times;
  };
  /** Opens the cache for each run: data of a few stations would stay in memory, data of many does not. */
  const ofAll = async (work: (cache: Cache, run: number) => unknown): Promise<number[]> => {
    const times: number[] = [];
    for (let run = -1; run < runs; run++) {
      const cache = openCache(cachePath);
      const taken = await ms(() => work(cache, run + 1));
      if (run >= 0) times.push(taken);
      cache.close();
    }
    return times;
  };
  const series = (stationId: string) => ({ stationId, variables: ["ztd" as const], range, intervalSeconds, raw });

  const draw = await ofOne((cache, id) => cache.decimate(series(id), columns));
  const read = await ofOne((cache, id) => cache.rows(series(id)));
  const gapsOfOne = await ofOne((cache, id) => gapsOf(cache, [id]));
  const availability = await ofAll((cache) =>
    readAvailability(cache, { stationIds, variable: "ztd", range, mode, binMs: DAY_MS, nowMs }, NO_FAILURES, pace),
  );
  const snapshot = await ofAll((cache, run) => {
    const momentsMs = [range.startMs + run * 3 * DAY_MS + 7 * HOUR_MS];
    return readSnapshots(cache, { variables: ["ztd"], mode, momentsMs, withinMs: 15 * MINUTE_MS }, pace);
  });
  const gapsOfAll = await ofAll((cache) => gapsOf(cache, stationIds));
  return { draw, read, gapsOfOne, availability, snapshot, gapsOfAll, peakMb: peakMb() };
});

async function ms(work: () => unknown): Promise<number> {
  return (await timed(work)).seconds * 1_000;
}
