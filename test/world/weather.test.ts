import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { hydrostaticDelayMm, meanTemperatureK, waterPerDelay } from "#service/world/geometry.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { named, rowsOf } from "./support.ts";

const world = createWorld({ seed: 3 });
const now = Date.UTC(2026, 10, 1);

describe("PWV and ZTD", () => {
  test("of the same epoch are consistent: PWV is Π times the wet delay", () => {
    for (const mountpoint of ["KIRK00FIN", "ROTH00CHE", "SAGI01JPN", "MST010", "BAND00TZA", "FARO00URY"]) {
      const station = named(world, mountpoint);
      const rows = rowsOf(world, station, { startMs: Date.UTC(2025, 5, 3), endMs: Date.UTC(2025, 5, 5) });
      const withPwv = rows.filter((r) => !Number.isNaN(r.pwv));
      expect(withPwv.length).toBeGreaterThan(30);
      for (const row of withPwv) {
        const air = world.weather(station, row.timeMs);
        const height = station.ellipsoidalHeight - station.geoidUndulation;
        const dry = hydrostaticDelayMm(air.pressureHpa, station.latitudeDeg, height);
        const share = waterPerDelay(meanTemperatureK(air.temperatureK));
        expect(row.pwv).toBeCloseTo(share * (row.ztd - dry), 9);
      }
    }
  });

  test("have PWV values every five minutes only", () => {
    for (const mountpoint of ["KIRK00FIN", "SAGI01JPN", "MST011"]) {
      const rows = rowsOf(world, named(world, mountpoint), { startMs: now - DAY_MS, endMs: now });
      const solved = rows.filter((r) => r.quality !== "noSolution");
      expect(solved.every((r) => Number.isNaN(r.pwv) === (r.timeMs % 300_000 !== 0))).toBe(true);
    }
  });

  test("deviate from the truth by less than a millimetre in settled epochs", () => {
    const station = named(world, "KIRK00FIN");
    const rows = rowsOf(world, station, { startMs: now - 5 * DAY_MS, endMs: now });
    for (const row of rows.filter((r) => r.quality === "none" && r.timeMs % 300_000 === 0)) {
      expect(Math.abs(row.ztd - world.weather(station, row.timeMs).ztdMm)).toBeLessThan(1);
    }
  });
});
