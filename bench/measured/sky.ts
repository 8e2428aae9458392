// Reads days of satellites from a filled cache, as the satellite view does.
import { createPace } from "#main/app/pacing.ts";
import { readSatellites } from "#main/app/reading/satellites.ts";
import { openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { report, timed } from "../harness/report.ts";

export interface SkyArguments {
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly runs: number;
}

/** Milliseconds of each run. */
export interface SkyTimes {
  readonly day: readonly number[];
  /** With a newly opened cache, before the code is compiled. */
  readonly first: readonly number[];
}

await report(async ({ cachePath, spec, runs }: SkyArguments): Promise<SkyTimes> => {
  const cache = openCache(cachePath);
  const pace = createPace(new AbortController().signal);
  const { stationIds, range, intervalSeconds, raw } = spec;
  const day = { startMs: range.startMs, endMs: range.startMs + DAY_MS };
  const read = async (run: number): Promise<number> => {
    const stationId = stationIds[run % stationIds.length]!;
    const query = { stationId, range: day, mode: { intervalSeconds, raw } };
    const { seconds, value } = await timed(() => readSatellites(cache, query, pace));
    if (value.timesMs.length < 2_000) throw new Error("a day is not whole");
    return seconds * 1_000;
  };
  const first = [await read(0)];
  // These runs are not measured; the code is compiled in them.
  for (let run = 1; run < 12; run++) await read(run);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await read(run));
  cache.close();
  return { day: times, first };
});
