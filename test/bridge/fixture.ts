import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openCache, openUserStore } from "#main/store/index.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { settled } from "../support/judge.ts";
import { stationOf } from "../support/station.ts";

// A data folder of an earlier run: cached data can be read over any bridge without a service.

/** A saved connection with rows in its cache; nothing responds at its address. */
export const KEPT = "kept";
/** A saved connection whose cache cannot be opened, because a folder has its name. */
export const LOCKED_OUT = "locked-out";

export const ONE = "station-one";
export const NEVER_ASKED = "station-two";
export const HOSTILE_NAME = `<img src=x onerror=alert(1)> "; DROP TABLE station; -- \u202e`;

export const NATIVE: SeriesMode = { intervalSeconds: null, raw: false };
export const READ_NATIVE = { ...NATIVE, resampled: false };
export const STEP_MS = 30_000;
export const START_MS = Date.UTC(2026, 0, 10);
/** Two days that were requested; the station has no data from 06:00 to 07:00 of the second. */
export const ASKED: TimeRange = { startMs: START_MS, endMs: START_MS + 2 * DAY_MS };
export const SILENT: TimeRange = { startMs: START_MS + DAY_MS + 6 * HOUR_MS, endMs: START_MS + DAY_MS + 7 * HOUR_MS };

/** Values in the first rows that JSON does not support; they must be transferred to the bit. */
export const AWKWARD = [2_400, Number.NaN, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324] as const;

export function ztdMm(row: number): number {
  return AWKWARD[row] ?? Math.round((2_400 + 20 * Math.sin(row / 300)) * 10) / 10;
}

export function prepareFolder(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true });
  const users = openUserStore(join(dataFolder, "user.db"));
  const record = { baseUrl: "http://127.0.0.1:9", createdAtMs: START_MS, kind: "service" } as const;
  users.putConnection({ ...record, id: KEPT, name: "Kept", cacheFile: "cache-kept.db" });
  users.putConnection({ ...record, id: LOCKED_OUT, name: "Locked out", cacheFile: "cache-locked-out.db" });
  users.close();
  mkdirSync(join(dataFolder, "cache-locked-out.db"));

  const cache = openCache(join(dataFolder, "cache-kept.db"));
  cache.replaceCatalogue([station(ONE, HOSTILE_NAME), station(NEVER_ASKED, "Two")], [], START_MS);
  const rows = Array.from({ length: (2 * DAY_MS) / STEP_MS }, (_, i) => i).filter((i) => {
    const timeMs = START_MS + i * STEP_MS;
    return timeMs < SILENT.startMs || timeMs >= SILENT.endMs;
  });
  const timesMs = Float64Array.from(rows, (i) => START_MS + i * STEP_MS);
  const scalar = cache.openResponse({ stationIds: [ONE], variables: ["ztd", "pwv"], range: ASKED, ...NATIVE });
  scalar.add({
    stationId: ONE,
    timesMs,
    scalars: {
      ztd: Float64Array.from(rows, ztdMm),
      pwv: Float64Array.from(rows, (i) => (i % 10 === 0 ? 12 + i / 1_000 : Number.NaN)),
    },
    texts: {},
  });
  scalar.commit(settled(ASKED));

  const hour = { startMs: START_MS, endMs: START_MS + HOUR_MS };
  const epochs = timesMs.slice(0, HOUR_MS / STEP_MS);
  const seen = cache.openResponse({
    stationIds: [ONE],
    variables: ["snr", "el", "az", "prn"],
    range: hour,
    ...NATIVE,
  });
  seen.add({
    stationId: ONE,
    timesMs: epochs,
    scalars: {},
    texts: {
      prn: Array.from(epochs, () => "G01,E11"),
      el: Array.from(epochs, (_, i) => (i === 3 ? "12.5" : "12.5,80.0")),
      az: Array.from(epochs, () => "1.0,359.9"),
      snr: Array.from(epochs, () => "45.1/38.2,44.0"),
    },
  });
  seen.commit(settled(hour));
  cache.close();
}

function station(id: string, displayName: string): CatalogueStation {
  return stationOf(id, {
    displayName,
    historicDataFromMs: START_MS - 10 * DAY_MS,
    locationAlias: "Somewhere",
    countryCode: "FI",
    latitudeDeg: 60,
    longitudeDeg: 25,
    height: 10,
    ellipsoidalHeight: 10,
    dataLastUpdatedMs: START_MS + 30 * DAY_MS,
    networkId: "n",
    networkCode: "N",
  });
}
