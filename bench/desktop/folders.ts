import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { SettingsStore } from "#main/app/settings.ts";
import { openCache, openUserStore } from "#main/store/index.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { createWorld } from "#service/world/index.ts";
import { worldRows } from "../harness/worldRows.ts";
import { settled } from "../../test/support/judge.ts";

const CONNECTION = "bench";
const CACHE_FILE = "cache-bench.db";

export interface DeskFolder {
  readonly path: string;
  readonly cacheBytes: number;
}

export interface DeskFolderOptions {
  /** A cache to copy; null for an empty cache. */
  readonly from: string | null;
  readonly stations: readonly CatalogueStation[];
  readonly chosen: readonly string[];
  readonly range: TimeRange;
}

/** A data folder as after a day's work: connection, cache and state of the window. No service runs at its address. */
export function makeDeskFolder(path: string, options: DeskFolderOptions): DeskFolder {
  const { from, stations, chosen, range } = options;
  mkdirSync(path, { recursive: true });
  const cachePath = join(path, CACHE_FILE);
  if (from !== null) {
    copyFileSync(from, cachePath);
    // Data that are not on the disk yet would slow down the start.
    const file = openSync(cachePath, "r+");
    fsyncSync(file);
    closeSync(file);
  }
  const cache = openCache(cachePath);
  // A fresh catalogue, so that the window does not request a newer one.
  cache.replaceCatalogue(stations, [], Date.now());
  cache.close();
  const users = openUserStore(join(path, "user.db"));
  users.putConnection({
    id: CONNECTION,
    name: "Bench",
    baseUrl: "http://127.0.0.1:9",
    createdAtMs: Date.now(),
    cacheFile: CACHE_FILE,
    kind: "service",
  });
  const settings = new SettingsStore(users);
  settings.write({ lastConnectionId: CONNECTION });
  const slots = Object.fromEntries(chosen.map((id, i) => [id, i]));
  settings.putWorkspace(`window:${CONNECTION}`, JSON.stringify({ stationIds: chosen, slots, range }));
  users.close();
  return { path, cacheBytes: statSync(cachePath).size };
}

/** Catalogue entries of stations of the simulated world, or made-up ones for other ids. */
export function catalogueOf(ids: readonly string[]): CatalogueStation[] {
  const world = createWorld();
  return ids.map((id, i) => {
    const known = world.station(id);
    return {
      id,
      displayName: known?.displayName ?? `${PLACES[i % PLACES.length]} ${i}`,
      mountpoint: null,
      sourceType: "cors",
      hasNeverSent: false,
      historicDataFromMs: Date.UTC(2020, 0, 1),
      resolutionSeconds: 30,
      locationAlias: PLACES[(i * 7) % PLACES.length]!,
      countryCode: ["FI", "NO", "SE", "AR", "JP"][i % 5]!,
      latitudeDeg: (i % 170) - 85,
      longitudeDeg: (i % 350) - 175,
      height: 10,
      heightReference: "WGS84_ELLIPSOID",
      ellipsoidalHeight: 10,
      orthometricHeight: 5,
      dataLastUpdatedMs: Date.now(),
      networkId: `n${i % 20}`,
      networkCode: `NET${i % 20}`,
      createdAtMs: null,
      updatedAtMs: null,
    };
  });
}

const PLACES = ["Kallio", "Kirkkolahti", "Torsvika", "Älvsborg", "Grünkogel", "Hoshimine", "Arroyo Hondo", "Savanna"];

/**
 * Fills a cache with the year of one station under many ids until its file has this size. Only the size of the file
 * matters to a start, not its content.
 */
export function fillLarge(path: string, stationId: string, range: TimeRange, bytes: number): readonly string[] {
  const cache = openCache(path);
  const variables = ["ztd", "ztd_sigma", "pwv"] as const;
  const blocks = [...worldRows(stationId, { range, variables }, null)];
  const ids: string[] = [];
  while (ids.length === 0 || statSync(path).size < bytes) {
    const id = `large-${ids.length}`;
    ids.push(id);
    const writer = cache.openResponse({ stationIds: [id], variables, range, intervalSeconds: null, raw: false });
    for (const block of blocks) writer.add({ ...block, stationId: id });
    writer.commit(settled(range));
  }
  cache.close();
  return ids;
}
