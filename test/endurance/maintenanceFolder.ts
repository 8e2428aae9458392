// Apart from the constants, so that a process to be killed, which has the bundle, does not load the sources of the store.
import { join } from "node:path";
import { openCache, openUserStore } from "#main/store/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { CONNECTION, NATIVE, RANGE, SCALARS, STATIONS } from "./maintenanceFixture.ts";
import { seeded } from "../support/seeded.ts";
import { settled } from "../support/judge.ts";

const STEP_MS = 60_000;

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
    writer.commit(settled(range, range.endMs - DAY_MS, range.endMs));
  }
  cache.forget(["gone"], null);
  cache.close();
}
