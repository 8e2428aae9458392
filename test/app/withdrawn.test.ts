import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findStations, unlistedStations } from "#main/app/stations/find.ts";
import { type Catalogue, knownStations, stationLabel, stationLabels } from "#shared/service/catalogue.ts";
import { connectedWorld, jobIn, specFor, valueOf } from "./window.ts";

it("a station that is no longer listed keeps its name while its data is cached, and can be exported", async () => {
  const { world, window, connectionId } = await connectedWorld();
  const spec = specFor(world, 2);
  const [kept, gone] = spec.stationIds;
  const before = valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  expect(before.withdrawn).toEqual([]);
  const job = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
  await jobIn(window, job.id, "finished");

  // Another station without cached data is removed too, and forgotten.
  const other = before.stations.find((s) => !spec.stationIds.includes(s.id))!;
  // The job may have requested the catalogue again.
  const { stations } = valueOf(await window.bridge.catalogue.read({ connectionId }));
  world.service.setOrganization("test", { withheldStationIds: [gone!, other.id] });
  const after = valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  const last = stations.find((s) => s.id === gone)!;
  expect(after.withdrawn).toEqual([last]);
  expect(after.stations.map((s) => s.id)).toContain(kept);
  expect(after.stations.map((s) => s.id)).not.toContain(gone);
  expect(stationLabels(after).get(gone!)).toBe(`${last.displayName} (no longer listed)`);
  expect(stationLabel(knownStations(after).find((s) => s.id === kept)!)).not.toContain("listed");

  // It is found by name on the command line, but not part of "all".
  expect(findStations(after, [last.displayName])).toMatchObject({ ok: true, value: [{ id: gone }] });
  expect(findStations(after, ["all"])).toMatchObject({ ok: true, value: after.stations });

  expect(leftOut(after, ["all"])).toEqual([gone]);
  expect(leftOut(after, [last.displayName])).toEqual([]);
  // A station with another id has its name now.
  const renamed = after.stations.map((s) => (s.id === kept ? { ...s, displayName: last.displayName } : s));
  const taken = { ...after, stations: renamed };
  expect(findStations(taken, [last.displayName])).toMatchObject({ ok: true, value: [{ id: kept }] });
  expect(leftOut(taken, [last.displayName])).toEqual([gone]);
  expect(leftOut(taken, [last.displayName, last.id])).toEqual([]);

  const path = join(world.folder, "gone.csv");
  const connection = await window.app.connections.open(window.app.connections.find(connectionId)!);
  const how = { resampled: false, format: "csv", heightReference: "WGS84_ELLIPSOID" } as const;
  const request = { ...spec, ...how, stationIds: [gone!], path };
  const report = valueOf(await window.app.export(connection, request, {}));
  expect(report.rows).toBeGreaterThan(2_000);
  expect(readFileSync(report.sidecarPath!, "utf8")).toContain(last.displayName);

  // It stays known, is restored when listed again, and is removed with its last cached data.
  valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  expect(valueOf(await window.bridge.catalogue.read({ connectionId })).withdrawn).toEqual([last]);
  world.service.setOrganization("test", { withheldStationIds: [] });
  const again = valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  expect([again.withdrawn, again.stations.map((s) => s.id)]).toEqual([[], before.stations.map((s) => s.id)]);

  world.service.setOrganization("test", { withheldStationIds: [gone!] });
  valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  valueOf(await window.bridge.cache.forget({ connectionId, stationIds: [gone!], range: null }));
  expect(valueOf(await window.bridge.catalogue.read({ connectionId })).withdrawn).toEqual([]);
});

function leftOut(catalogue: Catalogue, words: readonly string[]): string[] {
  return unlistedStations(catalogue, words).map(({ id }) => id);
}
