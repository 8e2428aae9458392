import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { hydrostaticDelayMm, meanTemperatureK, waterPerDelay } from "#service/world/geometry.ts";
import { named, rowsOf } from "./support.ts";

const world = createWorld({ seed: 3 });

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
});
