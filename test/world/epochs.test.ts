import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { lastSeen, named, rowsOf } from "./support.ts";
import { tries } from "../support/endurance.ts";

const world = createWorld({ seed: 5 });
const withData = world.stations.filter((s) => s.firstDataMs !== null);
const anyStation = fc.constantFrom(...withData);
/** Moments from before the first data of some stations to after the last, without a bias to the bounds. */
const anyMoment = fc.noBias(fc.integer({ min: Date.UTC(2021, 0, 1), max: Date.UTC(2026, 9, 20) }));
const anyShare = fc.noBias(fc.integer({ min: 0, max: 10_000 })).map((n) => n / 10_000);

describe("epochs", () => {
  test("are the same for any division of a range and any block size", () => {
    fc.assert(
      fc.property(
        anyStation,
        anyMoment,
        fc.noBias(fc.integer({ min: 1, max: 36 * HOUR_MS })),
        fc.array(anyShare, { maxLength: 5 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom(null, 1, 3),
        (station, startMs, lengthMs, cuts, blockRows, decimals) => {
          // Shorter ranges for stations with a row per second keep the test fast.
          const endMs = startMs + Math.ceil(lengthMs / (station.nativeSeconds < 30 ? 12 : 1));
          const whole = rowsOf(world, station, { startMs, endMs, decimals });
          const edges = [
            startMs,
            ...cuts.map((c) => startMs + Math.floor(c * (endMs - startMs))).toSorted((a, b) => a - b),
            endMs,
          ];
          const parts = edges
            .slice(1)
            .flatMap((to, i) => rowsOf(world, station, { startMs: edges[i]!, endMs: to, decimals }, blockRows));
          expect(parts).toEqual(whole);
          // A last block of a single row.
          if (whole.length < 2) return;
          expect(rowsOf(world, station, { startMs, endMs, decimals }, whole.length - 1)).toEqual(whole);
        },
      ),
      { numRuns: tries(20, 100) },
    );
  });

  test("are the same alone and among others, including satellites", () => {
    fc.assert(
      fc.property(anyStation, anyMoment, (station, startMs) => {
        const many = rowsOf(world, station, { startMs, endMs: startMs + 30 * 60_000, satellites: true });
        for (const row of many.filter((_, i) => i % 97 === 0)) {
          const alone = rowsOf(world, station, { startMs: row.timeMs, endMs: row.timeMs + 1, satellites: true });
          expect(alone).toEqual([row]);
          const { prn, el, az, snr } = world.satellites(station, row.timeMs);
          expect([prn, el, az, snr]).toEqual(row.texts);
        }
      }),
      { numRuns: tries(10, 100) },
    );
  });

  test("are ascending in the cadence of the station, with start inclusive and end exclusive", () => {
    fc.assert(
      fc.property(anyStation, anyMoment, fc.integer({ min: 0, max: 2 * HOUR_MS }), (station, startMs, lengthMs) => {
        const rows = rowsOf(world, station, { startMs, endMs: startMs + lengthMs });
        rows.forEach((row, i) => {
          expect(row.timeMs % (station.nativeSeconds * 1000)).toBe(0);
          expect(row.timeMs).toBeGreaterThanOrEqual(i === 0 ? startMs : rows[i - 1]!.timeMs + 1);
          expect(row.timeMs).toBeLessThan(startMs + lengthMs);
        });
      }),
    );
  });

  test("have the quality that `explain` returns, or are a gap", () => {
    fc.assert(
      fc.property(anyStation, anyMoment, (station, startMs) => {
        const step = station.nativeSeconds * 1000;
        const rows = new Map(
          rowsOf(world, station, { startMs, endMs: startMs + 200 * step }).map((r) => [r.timeMs, r]),
        );
        for (let t = Math.ceil(startMs / step) * step; t < startMs + 200 * step; t += step) {
          expect(world.explain(station, t)).toBe(rows.get(t)?.quality ?? "gap");
        }
      }),
      { numRuns: tries(15, 100) },
    );
  });
});

describe("data available at a moment", () => {
  test("begins and ends with the first and last data of the catalogue", () => {
    for (const station of withData.slice(0, 30)) {
      const firstMs = station.firstDataMs ?? 0;
      const rows = rowsOf(world, station, { startMs: firstMs - DAY_MS, endMs: firstMs + 1 });
      expect(rows.map((row) => row.timeMs)).toEqual([firstMs]);
    }
    const stale = withData.find((station) => station.lastDataMs !== null)!;
    const rows = rowsOf(world, stale, { startMs: stale.lastDataMs!, endMs: stale.lastDataMs! + DAY_MS });
    expect(rows.map((row) => row.timeMs)).toEqual([stale.lastDataMs]);
  });

  test("ends with lastUpdated", () => {
    fc.assert(
      fc.property(anyStation, anyMoment, (station, nowMs) => {
        // Consecutive outages are never longer.
        const startMs = Math.min(station.lastDataMs ?? Infinity, nowMs) - 9 * DAY_MS;
        expect(world.lastUpdated(station, nowMs)).toBe(lastSeen(world, station, startMs, nowMs));
      }),
      { numRuns: tries(40, 400) },
    );
  });

  test("ends with the previous epoch if the latest one was lost", () => {
    const station = named(world, "KIRK00FIN");
    const rows = rowsOf(world, station, { startMs: Date.UTC(2025, 5, 1), endMs: Date.UTC(2025, 5, 20) });
    const before = rows.filter((r, i) => rows[i + 1] && rows[i + 1]!.timeMs - r.timeMs === 60_000);
    expect(before.length).toBeGreaterThan(3);
    for (const { timeMs } of before) {
      expect(world.explain(station, timeMs + 30_000)).toBe("gap");
      expect(world.lastUpdated(station, timeMs + 30_000 + station.latencyMs)).toBe(timeMs);
    }
  });

  test("includes an observation exactly after its latency", () => {
    const late = world.stations.find((s) => s.latencyMs === 7_200_000)!;
    const last = world.lastUpdated(late, Date.UTC(2026, 5, 1, 12))!;
    expect(last).toBeLessThanOrEqual(Date.UTC(2026, 5, 1, 10));
    expect(world.lastUpdated(late, last + late.latencyMs)).toBe(last);
    expect(world.lastUpdated(late, last + late.latencyMs - 1)).toBeLessThan(last);
  });
});
