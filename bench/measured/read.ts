// Reads and decimates from a filled cache. Each of the first runs uses a station that was not read before.
import { openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { report, timed } from "../harness/report.ts";

export interface ReadArguments {
  readonly cachePath: string;
  readonly spec: JobSpec;
  readonly columns: number;
  readonly runs: number;
}

/** Milliseconds of each run. */
export interface ReadTimes {
  readonly read: readonly number[];
  readonly decimate: readonly number[];
  readonly decimateAll: readonly number[];
}

await report(async ({ cachePath, spec, columns, runs }: ReadArguments): Promise<ReadTimes> => {
  const cache = openCache(cachePath);
  const { stationIds, range, intervalSeconds, raw } = spec;
  const read = (stationId: string): unknown =>
    cache.rows({ stationId, variables: ["ztd"], range, intervalSeconds, raw });
  const decimate = (stationId: string): unknown =>
    cache.decimate({ stationId, variables: ["ztd"], range, intervalSeconds, raw }, columns);
  const everyStation = async (work: (stationId: string) => unknown): Promise<number[]> => {
    const half = stationIds.length >> 1;
    // Stations that are not measured are read first, so that the code is compiled.
    stationIds.slice(half).forEach(work);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await ms(() => work(stationIds[run % half]!)));
    return times;
  };
  const times = { read: await everyStation(read), decimate: await everyStation(decimate), decimateAll: [] as number[] };
  for (let run = 0; run < runs; run++) times.decimateAll.push(await ms(() => stationIds.forEach(decimate)));
  cache.close();
  return times;
});

async function ms(work: () => unknown): Promise<number> {
  return (await timed(work)).seconds * 1_000;
}
