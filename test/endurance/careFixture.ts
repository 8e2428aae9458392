import { join } from "node:path";
import type { Variable } from "../../src/shared/service/variables.ts";
import type { TimeRange } from "../../src/shared/time/range.ts";
import { DAY_MS } from "../../src/shared/time/utc.ts";
import { openCache, openUserStore } from "../../src/main/store/index.ts";
import { tries } from "../support/endurance.ts";

export const CONNECTION = "kept";
export const STATIONS = ["a", "b", "c", "d", "e"];
/** Never evicted. */
export const PINNED = "b";
export const SCALARS: readonly Variable[] = ["ztd", "pwv"];
/** About 100 kB a day. */
export function daysOf(days: number): TimeRange {
  return { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 1 + days) };
}
export const RANGE = daysOf(tries(8, 20));
export const NATIVE = { intervalSeconds: null, raw: false } as const;
const STEP_MS = 60_000;

export function movedTo(folder: string): string {
  return join(folder, "elsewhere", "moved.db");
}

/** A session file with all data of the cache. */
export function shared(folder: string): string {
  return join(folder, "s.zenith");
}

/** Deterministic numbers in [0, 1), so that every run tests the same points. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A limit of half the used bytes. */
export function limitOf(usedBytes: number): number {
  return Math.round(usedBytes / 2);
}

/** Creates a data folder with one connection to an unreachable service. @returns the path of its cache */
export function keepConnection(folder: string): string {
  const cacheFile = "cache-kept.db";
  const users = openUserStore(join(folder, "user.db"));
  const baseUrl = "http://127.0.0.1:9";
  users.putConnection({ id: CONNECTION, name: "Kept", baseUrl, createdAtMs: 0, kind: "service", cacheFile });
  users.close();
  return join(folder, cacheFile);
}

/** Creates a data folder with one connection whose cache has some weeks of a few stations, and free pages. */
export function prepare(folder: string, range = RANGE): void {
  const cache = openCache(keepConnection(folder));
  const timesMs = Float64Array.from(
    { length: (range.endMs - range.startMs) / STEP_MS },
    (_, i) => range.startMs + i * STEP_MS,
  );
  // Too irregular to be compressed.
  const random = seeded(20_261_121);
  for (const stationId of ["gone", ...STATIONS]) {
    const writer = cache.openResponse({ stationIds: [stationId], variables: SCALARS, range, ...NATIVE });
    const noise = (base: number): Float64Array => Float64Array.from(timesMs, () => base + random());
    writer.add({ stationId, timesMs, scalars: { ztd: noise(2_400), pwv: noise(12) }, texts: {} });
    writer.commit({ fetchedAtMs: range.endMs, finalUntilMs: () => range.endMs - DAY_MS });
  }
  cache.forget(["gone"], null);
  cache.close();
}
