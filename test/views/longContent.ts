import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openCache, openUserStore } from "#main/store/index.ts";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { valueOf } from "../bridge/cases/case.ts";
import { settled } from "../support/judge.ts";

const CONNECTION = "long";
const START_MS = Date.UTC(2026, 0, 10);
const RANGE = { startMs: START_MS, endMs: START_MS + DAY_MS };
const NATIVE = { intervalSeconds: null, raw: false };
const MANY = 520;
const SHOWN = 6;
const WORDS = "Observatory of the Northern Archipelago behind the Old Lighthouse ";

/**
 * Prepares a data folder with hundreds of stations with long names, some with many gaps, for an unreachable service.
 */
export function prepareLongContent(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true });
  const users = openUserStore(join(dataFolder, "user.db"));
  users.putConnection({
    id: CONNECTION,
    name: WORDS.repeat(2).trim().slice(0, 100),
    baseUrl: "http://127.0.0.1:9",
    cacheFile: "cache-long.db",
    createdAtMs: START_MS,
    kind: "service",
  });
  users.close();
  const cache = openCache(join(dataFolder, "cache-long.db"));
  const ids = Array.from({ length: MANY }, (_, i) => `station-${i}`);
  cache.replaceCatalogue(ids.map(station), [], START_MS);
  const timesMs = Float64Array.from({ length: 720 }, (_, i) => START_MS + i * 2 * MINUTE_MS);
  for (const stationId of ids.slice(0, SHOWN)) {
    const response = cache.openResponse({ stationIds: [stationId], variables: ["ztd"], range: RANGE, ...NATIVE });
    response.add({ stationId, timesMs, scalars: { ztd: timesMs.map((_, i) => 2_400 + i / 100) }, texts: {} });
    response.commit(settled(RANGE));
  }
  cache.close();
}

/** Adds long lists of jobs, exports, saved exports, views and opened files; the next start shows them. */
export async function addLongContent(bridge: Bridge, openFile: (name: string) => Promise<string>): Promise<void> {
  const stationIds = Array.from({ length: SHOWN }, (_, i) => `station-${i}`);
  const spec = { stationIds, variables: ["ztd" as const], range: RANGE, ...NATIVE };
  const one = { ...spec, stationIds: stationIds.slice(0, 1), resampled: false };
  const request = { ...one, format: "csv" as const, heightReference: "WGS84_ELLIPSOID" as const };
  const panes = { "gaps.open": true };
  const workspace = { ...spec, resampled: false, slots: Object.fromEntries(stationIds.map((id, i) => [id, i])), panes };
  const kept = { ...workspace, showSigma: true, view: "series" };
  for (let i = 0; i < 40; i++) {
    valueOf(await bridge.jobs.start({ connectionId: CONNECTION, spec, keepUp: false, withForbidden: false }));
    const name = `${WORDS.slice(0, 50)} ${i}`;
    const range = { kind: "fixed" as const, range: RANGE };
    valueOf(
      await bridge.export.save({
        saved: { ...request, name, connectionId: CONNECTION, range, template: "{stations}" },
      }),
    );
  }
  for (let i = 0; i < 8; i++)
    valueOf(await bridge.export.start({ connectionId: CONNECTION, request, destination: { kind: "download" } }));
  const views = Array.from({ length: 60 }, (_, i) => ({
    name: `${WORDS}${i}`,
    connectionId: CONNECTION,
    savedAtMs: START_MS,
    workspace: kept,
  }));
  valueOf(await bridge.views.save({ views }));
  for (let i = 0; i < 12; i++) valueOf(await bridge.files.open({ grantId: await openFile(`${WORDS}${i}.csv`) }));
  const content = JSON.stringify({ ...kept, section: "explore", isDrawerOpen: true });
  valueOf(await bridge.settings.writeWorkspace({ key: `window:${CONNECTION}`, content }));
  valueOf(await bridge.settings.write({ lastConnectionId: CONNECTION }));
}

function station(id: string, at: number): CatalogueStation {
  return {
    id,
    displayName: `${WORDS}${at}`,
    mountpoint: `MOUNTPOINT${at}`,
    sourceType: "cors",
    historicDataFromMs: START_MS - 10 * DAY_MS,
    hasNeverSent: false,
    resolutionSeconds: 30,
    locationAlias: WORDS.trim(),
    countryCode: "FI",
    latitudeDeg: 60 + (at % 20) / 10,
    longitudeDeg: 20 + at / 100,
    height: 10,
    heightReference: "WGS84_ELLIPSOID",
    ellipsoidalHeight: 10,
    orthometricHeight: null,
    dataLastUpdatedMs: START_MS + 30 * DAY_MS,
    networkId: "n",
    networkCode: "N",
    createdAtMs: null,
    updatedAtMs: null,
  };
}
