import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openCache } from "#main/store/index.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { tries } from "../support/endurance.ts";
import { seeded } from "../support/seeded.ts";
import { NATIVE, PINNED } from "./maintenanceFixture.ts";
import { keepConnection } from "./maintenanceFolder.ts";
import { settled } from "../support/judge.ts";

export const BIG_STATIONS = Array.from({ length: 120 }, (_, i) => (i === 0 ? PINNED : `s${i}`));
/** A day takes about 5 MB. */
export const BIG_DAYS = tries(8, 20);
const START_MS = Date.UTC(2026, 0, 1);
export const BIG_RANGE = daysOf(BIG_DAYS);
const STEP_MS = 30_000;

function daysOf(days: number): TimeRange {
  return { startMs: START_MS, endMs: START_MS + days * DAY_MS };
}

export function bigCachePath(folder: string): string {
  return join(folder, "cache-kept.db");
}

/** Creates a data folder with one connection whose cache has `BIG_DAYS` days, and free pages of a quarter of them. */
export function prepareBig(folder: string): void {
  mkdirSync(folder, { recursive: true });
  fillBig(keepConnection(folder));
}

/** Writes this many days of 150 stations into a cache, and deletes the data of 30 stations. */
export function fillBig(path: string, days = BIG_DAYS): void {
  const range = daysOf(days);
  const timesMs = Float64Array.from({ length: (days * DAY_MS) / STEP_MS }, (_, i) => START_MS + i * STEP_MS);
  // Too irregular to be compressed; equal for all stations.
  const random = seeded(20_261_127);
  const noise = (base: number): Float64Array => Float64Array.from(timesMs, () => base + random() + random() / 2 ** 32);
  const scalars = { ztd: noise(2_400), pwv: noise(12) };
  const gone = Array.from({ length: 30 }, (_, i) => `gone${i}`);
  const cache = openCache(path);
  for (const stationId of BIG_STATIONS.flatMap((id, i) => [id, ...gone.slice(i, i + 1)])) {
    const scope = { stationIds: [stationId], variables: ["ztd", "pwv"] as const, range, ...NATIVE };
    const writer = cache.openResponse(scope);
    writer.add({ stationId, timesMs, scalars, texts: {} });
    writer.commit(settled(range));
  }
  cache.forget(gone, null);
  cache.close();
}
