// Fills a cache with a chunk for every station and day, and counts its values as the calendar does.
import { readAvailability } from "#main/app/reading/availability.ts";
import { createPace } from "#main/app/pacing.ts";
import { openCache } from "#main/store/index.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { report, timed } from "../harness/report.ts";
import { settled } from "../../test/support/judge.ts";

export interface AvailabilityArguments {
  readonly cachePath: string;
  readonly stations: number;
  readonly days: number;
  readonly runs: number;
}

/** Milliseconds. */
export interface AvailabilityTimes {
  readonly days: readonly number[];
  /** With a newly opened cache, before the code is compiled. */
  readonly first: readonly number[];
}

const START_MS = Date.UTC(2025, 0, 1);
const NATIVE = { intervalSeconds: null, raw: false };
const NO_FAILURES = { failed: () => [], reason: () => null, isForbidden: () => false };

await report(async ({ cachePath, stations, days, runs }: AvailabilityArguments): Promise<AvailabilityTimes> => {
  const range = { startMs: START_MS, endMs: START_MS + days * DAY_MS };
  const stationIds = Array.from({ length: stations }, (_, i) => `station-${i}`);
  fill(cachePath, stationIds, range);

  const cache = openCache(cachePath);
  const pace = createPace(new AbortController().signal);
  const query = { stationIds, variable: "ztd" as const, range, mode: NATIVE, binMs: DAY_MS, nowMs: range.endMs };
  const measure = async (): Promise<number> => {
    const { seconds, value } = await timed(() => readAvailability(cache, query, NO_FAILURES, pace));
    if (value.received.some((n) => n !== 24)) throw new Error("a day was not counted");
    return seconds * 1_000;
  };
  const first = [await measure()];
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await measure());
  cache.close();
  return { days: times, first };
});

function fill(path: string, stationIds: readonly string[], range: { startMs: number; endMs: number }): void {
  const cache = openCache(path);
  const timesMs = Float64Array.from(
    { length: (range.endMs - range.startMs) / HOUR_MS },
    (_, i) => START_MS + i * HOUR_MS,
  );
  const ztd = timesMs.map((_, i) => 2_400 + Math.round(200 * Math.sin(i / 50)) / 10);
  for (const stationId of stationIds) {
    const writer = cache.openResponse({ stationIds: [stationId], variables: ["ztd"], range, ...NATIVE });
    writer.add({ stationId, timesMs, scalars: { ztd }, texts: {} });
    writer.commit(settled(range));
  }
  cache.close();
}
