import { describe, expect, it } from "vitest";
import { findStations } from "#main/app/stations/find.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { stationSchema } from "#shared/service/catalogue.ts";
import { namesStations } from "#renderer/features/groups/GroupsMenu.tsx";
import { findListed } from "#shared/station/list.ts";
import { isNear, parseCircle } from "#shared/station/position.ts";

const UUID = "0b1c2d3e-0000-4000-8000-00000000abcd";

function station(id: string, display_name: string, more: object = {}): CatalogueStation {
  const read = stationSchema.parse({ id, display_name, ...more });
  return { ...read, ellipsoidalHeight: null, orthometricHeight: null };
}

const STATIONS = [
  station(UUID, "Heinäniemi", { latitude: 60.45, longitude: 22.27 }),
  station("b", "Älvsborgsudden, Outer Pier", { latitude: 57.68, longitude: 11.84 }),
  station("c", "Kallio", { mountpoint: "KALL00FIN", latitude: 60.18, longitude: 24.95 }),
];
const CATALOGUE = { stations: STATIONS, withdrawn: [], networks: [], fetchedAtMs: 0 };
const GROUPS = [{ connectionId: "x", name: "My coast", stationIds: ["b", "gone"] }];

describe("a typed list of stations", () => {
  it.each([
    ["heinaniemi, KALLIO", [UUID, "c"]],
    ["Kallio\nHeinäniemi\n\nKallio", ["c", UUID]],
    ["Älvsborgsudden, Outer Pier\r\nKALL00FIN", ["b", "c"]],
    [`"Kallio";${UUID.toUpperCase()}\tb`, ["c", UUID, "b"]],
    [`{${UUID}}`, [UUID]],
    // A name with a comma inside a list.
    ["Kallio, Älvsborgsudden, Outer Pier, Heinäniemi", ["c", "b", UUID]],
    ["alvsborgsudden, outer pier;Kallio", ["b", "c"]],
    [`Kallio,"Älvsborgsudden, Outer Pier"`, ["c", "b"]],
  ])("%j finds the stations in order", (text, ids) => {
    expect(findListed(STATIONS, text)).toEqual({ ids, missing: [] });
  });

  it("is recognized in the search if it has two stations or more", () => {
    expect(
      ["Kallio", "Kallio, nowhere", "Kallio, Heinäniemi", "b; Kallio"].map((q) => namesStations(STATIONS, q)),
    ).toEqual([false, false, true, true]);
  });

  it("reports a partial name as missing", () => {
    expect(findListed(STATIONS, "Outer Pier, Kallio, Älvsborgsudden, , Outer Pier")).toEqual({
      ids: ["c"],
      missing: ["Outer Pier", "Älvsborgsudden"],
    });
  });

  it("reports each missing name once", () => {
    expect(findListed(STATIONS, "Kallio, Kalio, , Kalio\nnowhere")).toEqual({
      ids: ["c"],
      missing: ["Kalio", "nowhere"],
    });
  });
});

const idsOf = (word: string, catalogue = CATALOGUE) => {
  const found = findStations(catalogue, [word], GROUPS);
  return found.ok ? found.value.map((s) => s.id) : found.error.message;
};

describe("station arguments of the command line", () => {
  it("select groups, circles, and stations without accents", () => {
    expect(idsOf("group:my COAST")).toEqual(["b"]);
    expect(idsOf("near:60.2,24.9,10")).toEqual(["c"]);
    expect(idsOf("near:60.2,24.9,200")).toEqual([UUID, "c"]);
    expect(idsOf("heinaniemi")).toEqual([UUID]);
  });

  it("select by id, else by the exact name, else ignoring case", () => {
    const alike = { ...CATALOGUE, stations: [station("d", "kallio"), ...STATIONS, station("e", UUID)] };
    expect(["kallio", "Kallio", "KALLIO", UUID].map((word) => idsOf(word, alike))).toEqual([
      ["d"],
      ["c"],
      ["d", "c"],
      [UUID],
    ]);
  });

  it.each([
    ["group:mountains", "There is no group “mountains” of stations of this connection. There are “My coast”."],
    [
      "near:60,24",
      "“near:60,24” is not a circle. Write near:LAT,LON,KM in degrees and kilometres, for example near:60.2,24.9,50.",
    ],
    ["near:0,0,1", "No station with a known position lies in the circle “0,0,1”."],
    ["heinan", "There is no station “heinan” in the catalogue of this connection. Did you mean “Heinäniemi”?"],
  ])("%s is rejected with a message", (word, message) => {
    expect(idsOf(word)).toBe(message);
  });
});

const near = (latitudeDeg: number, longitudeDeg: number, circle: string) =>
  isNear({ latitudeDeg, longitudeDeg }, parseCircle(circle)!);

it("circles use great-circle distances, also across the 180th meridian and at a pole, and reject invalid text", () => {
  // A degree of the equator is 111.2 km.
  expect([near(0, 1, "0,0,111.1"), near(0, 1, "0,0,111.3")]).toEqual([false, true]);
  expect([near(0, -179.5, "0,179.5,112"), near(89.5, 180, "89.5,0,112")]).toEqual([true, true]);
  expect(isNear({ latitudeDeg: null, longitudeDeg: 0 }, { latitudeDeg: 0, longitudeDeg: 0, radiusKm: 9e9 })).toBe(
    false,
  );
  expect(["1,2", "91,0,1", "0,0,0", "0,0,-1", "a,0,1", "0,,1"].map(parseCircle)).toEqual(Array(6).fill(null));
});
