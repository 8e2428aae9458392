import { expect, test } from "vitest";
import type { Station } from "#shared/service/catalogue.ts";
import { withStoredProperties, joinHeights } from "#main/sync/catalogue.ts";
import { stationSchema } from "#shared/service/catalogue.ts";

const ID = "3f2b8a3e-1f0a-4c55-9d1b-0000000000aa";
const SPELT = [ID, ID.toUpperCase(), `{${ID}}`, ` ${ID}`, ID.replaceAll("-", ""), `urn:uuid:${ID}`];

function listed(id: string, reference: Station["heightReference"], height: number): Station {
  return stationSchema.parse({ id, height, height_vertical_reference: reference });
}

test.each(SPELT)("a station spelt %s is requested in the service's spelling, and has both heights", (id) => {
  const [station] = joinHeights([listed(id, "WGS84_ELLIPSOID", 40)], [listed(ID, "EGM2008", 20)]);
  expect(station).toMatchObject({ id: id.trim(), ellipsoidalHeight: 40, orthometricHeight: 20 });
});

test.each(SPELT)("a known station keeps its id if the service spells it %s today", (id) => {
  const known = { stations: joinHeights([listed(ID.toUpperCase(), "WGS84_ELLIPSOID", 40)], []), withdrawn: [] };
  const [today] = withStoredProperties(joinHeights([listed(id, "WGS84_ELLIPSOID", 41)], []), known);
  expect(today).toMatchObject({ id: ID.toUpperCase(), ellipsoidalHeight: 41 });
});
