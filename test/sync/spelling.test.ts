import { afterEach, expect, test } from "vitest";
import type { Station } from "#shared/service/catalogue.ts";
import { joinHeights, refreshCatalogue } from "#main/sync/catalogue.ts";
import { type CatalogueStation, stationSchema } from "#shared/service/catalogue.ts";
import { success } from "#shared/service/error.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type Desk, never, NOW_MS, openDesk } from "../support/desk.ts";

let desk: Desk | null = null;
afterEach(() => desk?.close());

const NO_STATIONS = { items: [], serverTimeMs: null, remark: null };
const ID = "3f2b8a3e-1f0a-4c55-9d1b-0000000000aa";
const SPELT = [ID, ID.toUpperCase(), `{${ID}}`, ` ${ID}`, ID.replaceAll("-", ""), `urn:uuid:${ID}`];

function listed(id: string, reference: Station["heightReference"], height: number): Station {
  return stationSchema.parse({ id, height, height_vertical_reference: reference });
}

test.each(SPELT)("a station spelt %s is requested in the service's spelling, and has both heights", (id) => {
  const [station] = joinHeights([listed(id, "WGS84_ELLIPSOID", 40)], [listed(ID, "EGM2008", 20)]);
  expect(station).toMatchObject({ id: id.trim(), ellipsoidalHeight: 40, orthometricHeight: 20 });
});

test.each(SPELT)("a known station keeps its id and its history if the service spells it %s today", async (id) => {
  desk = await openDesk();
  const { session, cache } = desk;
  const list = async (station: Station): Promise<CatalogueStation | undefined> => {
    const client = { ...session.client, allStations: async () => success({ ...NO_STATIONS, items: [station] }) };
    await refreshCatalogue({ ...session, client }, never);
    return cache.catalogue().stations[0];
  };
  const begun = { ...listed(ID.toUpperCase(), "WGS84_ELLIPSOID", 40), historicDataFromMs: NOW_MS - DAY_MS };
  const before = await list(begun);
  expect(await list(listed(id, "WGS84_ELLIPSOID", 41))).toEqual({
    ...before,
    id: ID.toUpperCase(),
    ellipsoidalHeight: 41,
    height: 41,
    historicDataFromMs: NOW_MS - DAY_MS,
  });
});
