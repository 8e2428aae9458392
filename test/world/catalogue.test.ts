import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { rowsOf } from "./support.ts";

const world = createWorld({ seed: 1 });
const { stations, networks } = world;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOW = Date.UTC(2026, 10, 1);

describe("the catalogue", () => {
  test("has at least 60 stations in 6 networks of at least two owners on several continents", () => {
    expect(stations.length).toBeGreaterThanOrEqual(60);
    expect(networks).toHaveLength(6);
    expect(new Set(networks.map((n) => n.owner)).size).toBeGreaterThanOrEqual(2);
    expect(new Set(stations.map((s) => s.network.code)).size).toBe(6);
    for (const country of ["FI", "JP", "AR", "KE"]) expect(stations.some((s) => s.countryCode === country)).toBe(true);
  });

  test("has unique and well-formed ids, names and mountpoints", () => {
    for (const of of ["id", "displayName", "mountpoint"] as const) {
      expect(new Set(stations.map((s) => s[of])).size).toBe(stations.length);
    }
    for (const thing of [...stations, ...networks]) expect(thing.id).toMatch(UUID);
    for (const station of stations) expect(world.station(station.id)).toBe(station);
    expect(world.station("00000000-0000-4000-8000-000000000000")).toBeUndefined();
  });

  test("has all source types and resolutions, mostly 30 s", () => {
    expect(new Set(stations.map((s) => s.sourceType))).toEqual(new Set(["stream_gnss", "telco", "cors"]));
    expect(new Set(stations.map((s) => s.resolutionSeconds))).toEqual(new Set([30, 1, 0]));
    expect(new Set(stations.filter((s) => s.resolutionSeconds === 0).map((s) => s.nativeSeconds))).toEqual(
      new Set([1, 5, 15]),
    );
    const standard = stations.filter((s) => s.resolutionSeconds === 30);
    expect(standard.length).toBeGreaterThan(stations.length * 0.7);
    for (const s of stations.filter((x) => x.resolutionSeconds !== 0))
      expect(s.nativeSeconds).toBe(s.resolutionSeconds);
  });

  test("has one station without data, one stale and one two hours late", () => {
    const empty = stations.filter((s) => s.firstDataMs === null);
    expect(empty).toHaveLength(1);
    expect(world.lastUpdated(empty[0]!, NOW)).toBeNull();
    expect(rowsOf(world, empty[0]!, { startMs: NOW - DAY_MS, endMs: NOW })).toEqual([]);
    const stale = stations.filter((s) => s.lastDataMs !== null);
    expect(stale).toHaveLength(1);
    expect(NOW - stale[0]!.lastDataMs!).toBeGreaterThan(90 * DAY_MS);
    expect(stations.filter((s) => s.latencyMs === 7_200_000)).toHaveLength(1);
  });

  test("has difficult names with commas, quotes, other scripts and a formula", () => {
    const names = stations.map((s) => s.displayName);
    expect(names.some((n) => n.includes(","))).toBe(true);
    expect(names.some((n) => n.includes('"'))).toBe(true);
    expect(names.some((n) => n.startsWith("="))).toBe(true);
    for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Ethiopic}/u, /[åäö]/]) {
      expect(names.some((n) => script.test(n))).toBe(true);
    }
  });

  test("states the first and last data of stations exactly", () => {
    for (const s of stations.slice(0, 30)) {
      if (s.firstDataMs === null) continue;
      const rows = rowsOf(world, s, { startMs: s.firstDataMs - DAY_MS, endMs: s.firstDataMs + 1 });
      expect(rows.map((r) => r.timeMs)).toEqual([s.firstDataMs]);
    }
    const stale = stations.find((s) => s.lastDataMs !== null)!;
    const rows = rowsOf(world, stale, { startMs: stale.lastDataMs!, endMs: stale.lastDataMs! + DAY_MS });
    expect(rows.map((r) => r.timeMs)).toEqual([stale.lastDataMs]);
  });

  test("has the same stations for the same seed, and other ids for another seed", () => {
    expect(createWorld({ seed: 1 }).stations).toEqual(stations);
    const other = new Set(createWorld({ seed: 2 }).stations.map((s) => s.id));
    expect(stations.some((s) => other.has(s.id))).toBe(false);
  });
});
