import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { get, type Wire } from "./call.ts";
import { NOW, ORGANIZATIONS, started, WORLD } from "./start.ts";
import { tinyNetwork, tinyWorld, uuid } from "./tinyWorld.ts";
import { gateCases } from "../support/endurance.ts";

const service = await openService({ world: WORLD, now: () => NOW, organizations: ORGANIZATIONS });

async function list(parameters: string, key = "key-a"): Promise<Wire[]> {
  const { status, json } = await get(service, `/stations?page_size=200&${parameters}`, { key });
  expect(status).toBe(200);
  return json.stations;
}
const degrees = (bound: number) => fc.double({ min: -bound, max: bound, noNaN: true });
const names = (stations: readonly Wire[]): string[] => stations.map((s) => s.display_name);

describe("2.1 fields of a station", () => {
  it("2.1 fields: a station has exactly the fields of the table, in their types", async () => {
    const owned = WORLD.stations.find((s) => s.network.owner === "aurora" && s.firstDataMs !== null)!;
    const { json } = await get(service, `/stations/${owned.id}`);
    expect(json).toEqual({
      id: owned.id,
      display_name: owned.displayName,
      mountpoint: owned.mountpoint,
      source_type: owned.sourceType,
      historic_data_from: new Date(owned.firstDataMs!).toISOString(),
      resolution_seconds: owned.resolutionSeconds,
      location_alias: owned.locationAlias,
      country_code: owned.countryCode,
      latitude: expect.any(Number),
      longitude: expect.any(Number),
      height: expect.any(Number),
      height_vertical_reference: "WGS84_ELLIPSOID",
      data_last_updated: new Date(WORLD.lastUpdated(owned, NOW)!).toISOString(),
      network_id: owned.network.id,
      network_code: owned.network.code,
      created_at: new Date(owned.createdAtMs).toISOString(),
      updated_at: new Date(owned.updatedAtMs).toISOString(),
    });
  });

  it("2.1 mountpoint: only in networks that the organization owns, else omitted", async () => {
    for (const station of await list("")) {
      const { network } = WORLD.station(station.id)!;
      expect("mountpoint" in station).toBe(network.owner === "aurora");
    }
  });

  it("2.1 historic_data_from and data_last_updated: null if nothing was ever measured", async () => {
    const silent = WORLD.stations.find((s) => s.firstDataMs === null)!;
    const { json } = await get(service, `/stations/${silent.id}`);
    expect([json.historic_data_from, json.data_last_updated]).toEqual([null, null]);
  });

  it("2.1 position: obfuscated, the same every time, within three kilometres of the true one", async () => {
    const [first, second] = [await list(""), await list("")];
    for (const [i, station] of first.entries()) {
      const truth = WORLD.station(station.id)!;
      expect([station.latitude, station.longitude]).toEqual([second[i].latitude, second[i].longitude]);
      expect([station.latitude, station.longitude]).not.toEqual([truth.latitudeDeg, truth.longitudeDeg]);
      expect(Math.abs(station.latitude - truth.latitudeDeg)).toBeLessThan(0.027);
      const east = Math.abs(station.longitude - truth.longitudeDeg);
      expect(Math.min(east, 360 - east)).toBeLessThan(0.027);
    }
  });

  it("2.1 height: both references differ by the undulation of the geoid", async () => {
    const [ellipsoidal, orthometric] = [await list(""), await list("height_vertical_reference=EGM2008")];
    for (const [i, station] of ellipsoidal.entries()) {
      expect(orthometric[i].id).toBe(station.id);
      expect(orthometric[i].height_vertical_reference).toBe("EGM2008");
      expect(station.height - orthometric[i].height).toBeCloseTo(WORLD.station(station.id)!.geoidUndulation, 1);
    }
  });
});

describe("4.1 GET /stations", () => {
  it("4.1 country_code: repeated values match any", async () => {
    const codes = new Set((await list("country_code=FI&country_code=EE")).map((s) => s.country_code));
    expect(codes).toEqual(new Set(["FI", "EE"]));
  });

  it("4.1 country_code: exactly two characters", async () => {
    for (const code of ["F", "FIN", ""]) {
      const { status, json } = await get(service, `/stations?country_code=${code}`);
      expect([status, json.details.parameter]).toEqual([400, "country_code"]);
    }
  });

  it("4.1 network_id: repeated values match any", async () => {
    const [one, two] = WORLD.networks;
    const found = await list(`network_id=${one!.id}&network_id=${two!.id}`);
    expect(new Set(found.map((s) => s.network_id))).toEqual(new Set([one!.id, two!.id]));
    const all = await list("");
    expect(found.length).toBe(all.filter((s) => [one!.id, two!.id].includes(s.network_id)).length);
  });

  it("4.1 filters: all given ones must match", async () => {
    const [one] = WORLD.networks;
    const both = await list(`network_id=${one!.id}&country_code=SE`);
    const expected = (await list("")).filter((s) => s.network_id === one!.id && s.country_code === "SE");
    expect(both).toEqual(expected);
  });

  it("4.1 search: without case, beyond ASCII, in the name or the place name", async () => {
    expect(names(await list(`search=${encodeURIComponent("HEINÄNIEMI")}`))).toEqual(["Heinäniemi"]);
    expect(names(await list(`search=${encodeURIComponent("heina\u0308")}`))).toEqual(["Heinäniemi"]);
    expect(names(await list("search=helsinki"))).toContain("Kallio");
  });

  it("4.1 search: at most 128 characters", async () => {
    expect((await get(service, `/stations?search=${"x".repeat(128)}`)).status).toBe(200);
    expect((await get(service, `/stations?search=${"x".repeat(129)}`)).status).toBe(400);
  });

  it("4.1 bbox: a station is in a box exactly if its catalogue position is", async () => {
    const all = await list("");
    await fc.assert(
      fc.asyncProperty(degrees(90), degrees(90), degrees(180), degrees(180), async (a, b, c, d) => {
        const [south, north] = [Math.min(a, b), Math.max(a, b)];
        const [west, east] = [Math.min(c, d), Math.max(c, d)];
        const box = encodeURIComponent(`[${south}, ${west}, ${north}, ${east}]`);
        const inside = (s: Wire) =>
          s.latitude >= south && s.latitude <= north && s.longitude >= west && s.longitude <= east;
        expect(await list(`bbox=${box}`)).toEqual(all.filter(inside));
      }),
      { numRuns: gateCases(25) },
    );
  });

  it("4.1 bbox: west greater than east crosses the 180° meridian", async () => {
    const all = await list("");
    const found = await list("bbox=[-90,170,90,-170]");
    expect(found).toEqual(all.filter((s) => s.longitude >= 170 || s.longitude <= -170));
  });

  it("4.1 bbox: exactly four numbers in brackets", async () => {
    for (const box of "59,24,61,26 [59,24,61] [59,24,61,26,1] [59,24,61,x] [] [61,24,59,26] [0,0,91,0]".split(" ")) {
      const { status, json } = await get(service, `/stations?bbox=${encodeURIComponent(box)}`);
      expect([box, status, json.details?.parameter]).toEqual([box, 400, "bbox"]);
    }
  });

  it("4.1 height_vertical_reference: only two words are accepted, and one is the default", async () => {
    expect((await list(""))[0].height_vertical_reference).toBe("WGS84_ELLIPSOID");
    for (const word of ["egm2008", "WGS84", ""]) {
      expect((await get(service, `/stations?height_vertical_reference=${word}`)).status).toBe(400);
    }
  });

  const SORTS = {
    name: "display_name",
    network: "network_code",
    updated_at: "updated_at",
    data_last_updated: "data_last_updated",
  };
  for (const [key, field] of Object.entries(SORTS)) {
    for (const order of ["asc", "desc"]) {
      it(`4.1 sort_by: ${key} ${order}, stations without a value last, ties by id`, async () => {
        const found = await list(`sort_by=${key}&sort_order=${order}`);
        const expected = found.toSorted((a, b) => {
          const [x, y] = [a[field], b[field]];
          if (x === y) return a.id < b.id ? -1 : 1;
          if (x === null || y === null) return x === null ? 1 : -1;
          return (x < y ? -1 : 1) * (order === "asc" ? 1 : -1);
        });
        expect(found.map((s) => s.id)).toEqual(expected.map((s) => s.id));
        expect(found.at(-1)[field] === null).toBe(key === "data_last_updated");
      });
    }
  }

  it("4.1 sort defaults: by name, ascending", async () => {
    expect(await list("")).toEqual(await list("sort_by=name&sort_order=asc"));
    expect((await get(service, "/stations?sort_by=id")).status).toBe(400);
    expect((await get(service, "/stations?sort_order=up")).status).toBe(400);
  });

  it("4.1 page_size: 1 to 200, 20 by default; page from 1", async () => {
    const { json } = await get(service, "/stations");
    expect(json.stations.length).toBe(20);
    expect(json.pagination).toEqual({ page: 1, page_size: 20, total_items: 67, total_pages: 4 });
    for (const bad of "page_size=0 page_size=201 page=0 page=-1 page=x page=1.5 page= page=1&page=2".split(" ")) {
      expect([bad, (await get(service, `/stations?${bad}`)).status]).toEqual([bad, 400]);
    }
    for (const good of ["page_size=1", "page_size=200"]) {
      expect((await get(service, `/stations?${good}`)).status).toBe(200);
    }
  });

  it("2.3 pagination: pages of any size together are the whole list", async () => {
    const all = (await list("")).map((s) => s.id);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 5, max: 200 }), async (size) => {
        const seen: string[] = [];
        const pages = Math.ceil(all.length / size);
        for (let page = 1; page <= pages; page++) {
          const { json } = await get(service, `/stations?page=${page}&page_size=${size}`);
          expect(json.pagination).toEqual({ page, page_size: size, total_items: all.length, total_pages: pages });
          seen.push(...json.stations.map((s: Wire) => s.id));
        }
        expect(seen).toEqual(all);
      }),
      { numRuns: gateCases(8) },
    );
  });

  it("2.3 pagination: a page past the end is empty and has the totals", async () => {
    const { status, json } = await get(service, "/stations?page=99");
    expect([status, json.stations]).toEqual([200, []]);
    expect(json.pagination).toEqual({ page: 99, page_size: 20, total_items: 67, total_pages: 4 });
    const none = await get(service, "/stations?search=nowhere-at-all");
    expect(none.json.pagination).toEqual({ page: 1, page_size: 20, total_items: 0, total_pages: 0 });
  });

  it("1 scope: only stations of permitted networks are listed", async () => {
    const found = await list("", "key-b");
    expect(new Set(found.map((s) => s.network_code))).toEqual(new Set(["BMAST"]));
  });

  it("5.6 location: position is null without the entitlement, and no box finds a station", async () => {
    for (const s of await list("", "key-b")) expect([s.latitude, s.longitude]).toEqual([null, null]);
    expect(await list("bbox=[-90,-180,90,180]", "key-b")).toEqual([]);
  });
});

describe("4.2 GET /stations/{station_id}", () => {
  it("4.2 station: the same as in the list, without a wrapper", async () => {
    for (const reference of ["", "height_vertical_reference=EGM2008"]) {
      const [listed] = await list(reference);
      expect((await get(service, `/stations/${listed.id}?${reference}`)).json).toEqual(listed);
      expect((await get(service, `/stations/${listed.id.toUpperCase()}?${reference}`)).json).toEqual(listed);
    }
  });

  it("4.2 station: 404 if it does not exist, or not for this organization", async () => {
    const foreign = WORLD.stations.find((s) => s.network.code !== "BMAST")!;
    expect((await get(service, `/stations/${uuid(1)}`)).status).toBe(404);
    expect((await get(service, `/stations/${foreign.id}`, { key: "key-b" })).status).toBe(404);
  });

  it("4.2 station: 400 for a malformed UUID or an unknown reference", async () => {
    for (const bad of ["abc", "%", "%00", `${uuid(1)}0`]) {
      expect([bad, (await get(service, `/stations/${bad}`)).status]).toEqual([bad, 400]);
    }
    const id = WORLD.stations[0]!.id;
    expect((await get(service, `/stations/${id}?height_vertical_reference=NAP`)).status).toBe(400);
  });
});

describe("hostile names", () => {
  it("2.1 display_name: any text is transferred unchanged", async () => {
    const displayName = '=1+1, "q" \\ <b>\u202e\u0000 🛰 \n';
    const epochs = [{ time: "2026-01-01T00:00:00Z", ztd: 2300 }];
    const world = tinyWorld([{ displayName, epochs }], [tinyNetwork(1)]);
    const own = await started({ world });
    expect((await get(own, `/stations/${uuid(1)}`)).json.display_name).toBe(displayName);
  });
});
