// Reads the values of many stations at one moment, from a cache with some days of all of them.
import { createPace } from "#main/app/pacing.ts";
import { readSnapshots } from "#main/app/reading/snapshot.ts";
import { openCache } from "#main/store/index.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Variable } from "#shared/service/variables.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { report, timed } from "../harness/report.ts";
import { worldRows } from "../harness/worldRows.ts";
import { settled } from "../../test/support/judge.ts";

export interface SnapshotArguments {
  readonly cachePath: string;
  /** Stations whose rows are used for all. */
  readonly spec: JobSpec;
  readonly stations: number;
  readonly runs: number;
  readonly decimals: number | null;
}

/** Milliseconds of each run. */
export interface SnapshotTimes {
  readonly one: readonly number[];
  readonly all: readonly number[];
  readonly frames: readonly number[];
}

const FRAMES = 16;

await report(async ({ cachePath, spec, stations, runs, decimals }: SnapshotArguments): Promise<SnapshotTimes> => {
  const cache = openCache(cachePath);
  const ids = Array.from({ length: stations }, (_, i) => `station-${i}`);
  const { range, variables } = spec;
  const rows = spec.stationIds.map((id) => [...worldRows(id, spec, decimals)]);
  for (const [i, stationId] of ids.entries()) {
    const writer = cache.openResponse({ ...spec, stationIds: [stationId] });
    for (const block of rows[i % rows.length]!) writer.add({ ...block, stationId });
    writer.commit(settled(range));
  }
  const mode = { intervalSeconds: null, raw: false, resampled: false };
  const days = Math.round((range.endMs - range.startMs) / DAY_MS);
  const at = async (run: number, requested: readonly Variable[], frames: number): Promise<number> => {
    // Each run reads another day.
    const startMs = range.startMs + (run % days) * DAY_MS + 7 * HOUR_MS;
    const momentsMs = Array.from({ length: frames }, (_, i) => startMs + i * 10 * MINUTE_MS);
    const query = { variables: requested, mode, momentsMs, withinMs: 15 * MINUTE_MS };
    const read = await timed(() => readSnapshots(cache, query, createPace(new AbortController().signal)));
    if (read.value.stationIds.length !== stations) throw new Error("stations are missing");
    return read.seconds * 1_000;
  };
  const each = async (requested: readonly Variable[], frames: number): Promise<number[]> => {
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await at(run, requested, frames));
    return times;
  };
  // These runs are not measured; the code is compiled in them.
  for (let run = 0; run < 3; run++) await at(run, variables, 1);
  const times = { one: await each(["ztd"], 1), all: await each(variables, 1), frames: await each(variables, FRAMES) };
  cache.close();
  return times;
});
