import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openCache } from "../../src/main/store/index.ts";
import { keepConnection, NATIVE, PINNED, seeded } from "./careFixture.ts";

export const BIG_STATIONS = Array.from({ length: 120 }, (_, i) => (i === 0 ? PINNED : `s${i}`));
export const BIG_RANGE = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 21) };
const STEP_MS = 30_000;

export function bigCachePath(folder: string): string {
  return join(folder, "cache-kept.db");
}

/** A data folder with one connection whose cache takes some 100 MB, a quarter of them freed. Takes seconds. */
export function prepareBig(folder: string): void {
  mkdirSync(folder, { recursive: true });
  fillBig(keepConnection(folder));
}

/** Writes some 100 MB into a cache, and forgets a quarter of them. */
export function fillBig(path: string): void {
  const timesMs = Float64Array.from(
    { length: (BIG_RANGE.endMs - BIG_RANGE.startMs) / STEP_MS },
    (_, i) => BIG_RANGE.startMs + i * STEP_MS,
  );
  // Too irregular to be compressed away; the same of all stations, which no checksum minds.
  const random = seeded(20_261_127);
  const noise = (base: number): Float64Array => Float64Array.from(timesMs, () => base + random() + random() / 2 ** 32);
  const scalars = { ztd: noise(2_400), pwv: noise(12) };
  const gone = Array.from({ length: 30 }, (_, i) => `gone${i}`);
  const cache = openCache(path);
  for (const stationId of BIG_STATIONS.flatMap((id, i) => [id, ...gone.slice(i, i + 1)])) {
    const scope = { stationIds: [stationId], variables: ["ztd", "pwv"] as const, range: BIG_RANGE, ...NATIVE };
    const writer = cache.openAnswer(scope);
    writer.add({ stationId, timesMs, scalars, texts: {} });
    writer.commit({ fetchedAtMs: BIG_RANGE.endMs, finalUntilMs: () => BIG_RANGE.endMs });
  }
  cache.forget(gone, null);
  cache.close();
}
