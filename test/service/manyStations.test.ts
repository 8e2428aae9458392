import { describe, expect, it } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { stationsQuerySchema } from "#shared/service/query.ts";
import { get, query, type Wire } from "./call.ts";
import { started } from "./start.ts";

const MANY = createWorld({ seed: 7, stations: 5_000 });

const distinct = (values: readonly string[]) => new Set(values).size;

describe("a world of thousands of stations", () => {
  it("world: exactly the requested number, with unique names, ids and codes", () => {
    for (const count of [1, 20, 67, 68, 5_000]) {
      const world = count === 5_000 ? MANY : createWorld({ seed: 7, stations: count });
      expect(world.stations.length).toBe(count);
      expect(distinct(world.stations.map((s) => s.id))).toBe(count);
      expect(distinct(world.stations.map((s) => s.displayName))).toBe(count);
      expect(distinct(world.stations.map((s) => s.mountpoint))).toBe(count);
      expect(distinct(world.networks.map((n) => n.code))).toBe(world.networks.length);
      for (const network of world.networks) expect(world.stations.some((s) => s.network === network)).toBe(true);
    }
  });

  it("world: the same seed gives the same stations, another seed others, and a larger world begins with the same ones", () => {
    expect(createWorld({ seed: 7, stations: 400 }).stations).toEqual(createWorld({ seed: 7, stations: 400 }).stations);
    const others = createWorld({ seed: 8, stations: 400 }).stations;
    expect(others[300]!.id).not.toBe(MANY.stations[300]!.id);
    expect(MANY.stations.slice(0, 67)).toEqual(createWorld({ seed: 7 }).stations);
  });

  it("world: generated stations are on Earth, in a country, and most have data", () => {
    for (const s of MANY.stations) {
      expect(Math.abs(s.latitudeDeg)).toBeLessThan(80);
      expect(Math.abs(s.longitudeDeg)).toBeLessThanOrEqual(180);
      expect(s.ellipsoidalHeight).toBeGreaterThan(-100);
      expect(s.countryCode).toMatch(/^[A-Z]{2}$/);
    }
    expect(MANY.stations.filter((s) => s.firstDataMs !== null).length).toBeGreaterThan(4_800);
  });

  it("catalogue: all pages together have every station once, in each order", { timeout: 60_000 }, async () => {
    const service = await started({ world: MANY });
    const { sort_by: keys } = stationsQuerySchema.shape;
    for (const key of keys.unwrap().options) {
      const ids: string[] = [];
      for (let page = 1; page <= 25; page++) {
        const { json } = await get(service, `/stations?page_size=200&page=${page}&sort_by=${key}`);
        expect(json.pagination).toMatchObject({ total_items: 5_000, total_pages: 25 });
        ids.push(...json.stations.map((s: Wire) => s.id));
      }
      expect(new Set(ids).size).toBe(5_000);
    }
  });

  it("measurements: a generated station has observations like any other", async () => {
    const service = await started({ world: MANY });
    const station = MANY.stations.slice(67).find((s) => s.firstDataMs !== null && s.lastDataMs === null)!;
    const { json } = await query(service, {
      start_time: "2026-01-01T00:00:00Z",
      end_time: "2026-01-02T00:00:00Z",
      station_ids: [station.id],
      data_vars: ["ztd", "pwv", "snr"],
      interval_seconds: 3_600,
    });
    expect(json.count).toBeGreaterThan(0);
    for (const row of json.data) expect(row.ztd).toSatisfy((ztd: number) => ztd > 1_500 && ztd < 2_900);
  });
});
