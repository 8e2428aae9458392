import { expect } from "vitest";
import { DAY_MS } from "#shared/time/utc.ts";
import { ASKED, HOSTILE_NAME, KEPT, NATIVE, NEVER_ASKED, ONE, START_MS } from "../fixture.ts";
import { type Cases, connectService, ordinaryStations, valueOf } from "./case.ts";

const wide = { startMs: START_MS - 2 * DAY_MS, endMs: ASKED.endMs };

export const catalogueCases: Cases<`${"catalogue" | "nearest"}.${string}`> = {
  async "catalogue.read"({ bridge }) {
    const { stations, fetchedAtMs } = valueOf(await bridge.catalogue.read({ connectionId: KEPT }));
    expect(stations.map((s) => s.displayName)).toEqual([HOSTILE_NAME, "Two"]);
    expect(fetchedAtMs).toBe(START_MS);
  },
  async "catalogue.refresh"(world) {
    const connectionId = await connectService(world);
    const changed = new Promise((resolve) => world.bridge.on("catalogueChanged", resolve));
    const { stations } = valueOf(await world.bridge.catalogue.refresh({ connectionId }));
    expect(stations).toHaveLength(world.service.world.stations.length);
    expect(await changed).toEqual({ connectionId });
  },
  async "catalogue.coverage"({ bridge }) {
    const input = { connectionId: KEPT, range: wide, variables: ["ztd" as const], mode: NATIVE };
    const { stationIds, share } = valueOf(await bridge.catalogue.coverage(input));
    expect(stationIds).toEqual([ONE]);
    expect(share).toEqual(Float64Array.of(0.5));
  },
  async "catalogue.strips"({ bridge }) {
    const input = { connectionId: KEPT, stationIds: [NEVER_ASKED, ONE], range: wide, variables: ["ztd" as const] };
    expect(valueOf(await bridge.catalogue.strips({ ...input, mode: NATIVE }))).toEqual([
      { stationId: NEVER_ASKED, final: [], provisional: [] },
      { stationId: ONE, final: [ASKED], provisional: [] },
    ]);
  },
  async "nearest.query"(world) {
    const connectionId = await connectService(world);
    const stationIds = ordinaryStations(world, 2);
    const query = { stationIds, variables: ["ztd" as const], timeMs: null, withinSeconds: 86_400, raw: true };
    const { rows, missingStationIds } = valueOf(await world.bridge.nearest.query({ connectionId, ...query }));
    const returned = [...rows.map((r) => r.stationId), ...missingStationIds];
    expect(returned.toSorted()).toEqual(stationIds.toSorted());
  },
};
