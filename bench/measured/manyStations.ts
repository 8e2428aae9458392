// What the window asks of a cache of many station-years: of one station, and of all.
import { readAvailability } from "#main/app/reading/availability.ts";
import { readAllGaps } from "#main/app/reading/gaps.ts";
import { createPace } from "#main/app/reading/pace.ts";
import { readSnapshots } from "#main/app/reading/snapshot.ts";
import { openCache } from "#main/store/index.ts";
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
  readonly open: readonly number[];
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
  const opened = await timed(() => openCache(cachePath));
  const cache = opened.value;
  const nowMs = range.endMs;
  const sources = { cache, users: NO_JOBS, connectionId: "bench", nowMs };

  const gapsOf = async (ids: readonly string[]): Promise<void> => {
    const query = { stationIds: ids, variables: ["ztd" as const], range, mode, minimumMs: 5 * MINUTE_MS };
    let series = 0;
    for await (const _ of readAllGaps(sources, query, pace)) series++;
    if (series !== ids.length) throw new Error("stations are missing");
  };
  const ofOne = async (work: (stationId: string) => unknown): Promise<number[]> => {
    // The code is compiled on stations that are not measured; each run takes one that was not read before.
    for (const id of stationIds.slice(-2)) await work(id);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await ms(() => work(stationIds[run]!)));
    return times;
  };
  const ofAll = async (work: (run: number) => unknown): Promise<number[]> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await ms(() => work(run)));
    return times;
  };
  const series = (stationId: string) => ({ stationId, variables: ["ztd" as const], range, intervalSeconds, raw });

  const draw = await ofOne((id) => cache.decimate(series(id), columns));
  const read = await ofOne((id) => cache.rows(series(id)));
  const gapsOfOne = await ofOne((id) => gapsOf([id]));
  const availability = await ofAll(() =>
    readAvailability(cache, { stationIds, variable: "ztd", range, mode, binMs: DAY_MS, nowMs }, NO_FAILURES, pace),
  );
  const snapshot = await ofAll((run) => {
    const momentsMs = [range.startMs + run * 3 * DAY_MS + 7 * HOUR_MS];
    return readSnapshots(cache, { variables: ["ztd"], mode, momentsMs, withinMs: 15 * MINUTE_MS }, pace);
  });
  const gapsOfAll = await ofAll(() => gapsOf(stationIds));
  cache.close();
  const open = [opened.seconds * 1_000];
  return { open, draw, read, gapsOfOne, availability, snapshot, gapsOfAll, peakMb: peakMb() };
});

async function ms(work: () => unknown): Promise<number> {
  return (await timed(work)).seconds * 1_000;
}
