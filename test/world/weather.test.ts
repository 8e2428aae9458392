import { describe, expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { hydrostaticDelayMm, meanTemperatureK, waterPerDelay } from "#service/world/geometry.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { mean, named, rowsOf } from "./support.ts";

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

/** Mean of good values over twenty days. */
function average(mountpoint: string, year: number, month: number, of: "ztd" | "pwv"): number {
  const startMs = Date.UTC(year, month, 1);
  const rows = rowsOf(world, named(world, mountpoint), { startMs, endMs: startMs + 20 * DAY_MS });
  const good = rows.filter((r) => r.quality === "none").map((r) => r[of]);
  return mean(good.filter((value) => !Number.isNaN(value)));
}

describe("climate", () => {
  test("is more humid in summer: in July in the north, in January in the south", () => {
    expect(average("KIRK00FIN", 2024, 6, "pwv")).toBeGreaterThan(1.5 * average("KIRK00FIN", 2024, 0, "pwv"));
    expect(average("FARO00URY", 2024, 0, "pwv")).toBeGreaterThan(1.3 * average("FARO00URY", 2024, 6, "pwv"));
  });

  test("has delays that match heights and latitudes", () => {
    expect(average("KIRK00FIN", 2024, 6, "ztd")).toBeGreaterThan(2300);
    expect(average("KIRK00FIN", 2024, 6, "ztd")).toBeLessThan(2560);
    expect(average("ROTH00CHE", 2024, 6, "ztd")).toBeLessThan(1700);
    expect(average("BAND00TZA", 2024, 0, "ztd")).toBeGreaterThan(2500);
    expect(average("BAND00TZA", 2024, 0, "pwv")).toBeGreaterThan(35);
  });

  test("has plausible values everywhere and at any time of five years", () => {
    for (const station of world.stations) {
      for (let timeMs = now - 5 * 365 * DAY_MS; timeMs < now; timeMs += 101.3 * HOUR_MS) {
        const air = world.weather(station, timeMs);
        const height = station.ellipsoidalHeight - station.geoidUndulation;
        expect(air.waterMm).toBeGreaterThan(0.3);
        expect(air.waterMm).toBeLessThan(95);
        expect(air.temperatureK).toBeGreaterThan(225);
        expect(air.temperatureK).toBeLessThan(315);
        const seaLevel = air.pressureHpa / (1 - 2.25577e-5 * height) ** 5.25588;
        expect(seaLevel).toBeGreaterThan(960);
        expect(seaLevel).toBeLessThan(1050);
      }
    }
  });
});
