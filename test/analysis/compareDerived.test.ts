import { describe, expect, it } from "vitest";
import { standardPressureHpa, standardTemperatureK, derive } from "#main/analysis/derived/derive.ts";
import {
  FORMULAS,
  hydrostaticDelayMm,
  meanTemperatureK,
  waterPerDelay,
  waterVapour,
  wetDelayMm,
} from "#main/analysis/derived/formulas.ts";
import type { Height } from "#shared/station/position.ts";

const exact = (value: number) => ({ value, sigma: 0 });
const AIR = {
  pressureHpa: null,
  temperatureC: null,
  sigmaPressureHpa: 0.5,
  sigmaStandardPressureHpa: 10,
  sigmaMeanTemperatureK: 5,
};

const geoid = (metres: number): Height<"geoid"> => ({ metres, above: "geoid" });
const at = (latitude: number, height: number): number =>
  hydrostaticDelayMm(exact(1_000), latitude, geoid(height)).value;

describe("derived quantities", () => {
  it("match published values", () => {
    // 1013.25 hPa at 45° and sea level: 2.3070 m. The factor of water vapour at 275 K: 0.1568.
    expect(hydrostaticDelayMm(exact(1_013.25), 45, geoid(0)).value / 1000).toBeCloseTo(2.307, 4);
    expect(waterPerDelay(275)).toBeCloseTo(0.1568, 4);
    expect(meanTemperatureK(288.15)).toBeCloseTo(277.668, 3);
    // ICAO document 7488: 1,000 m is 898.75 hPa and 281.65 K; 5,000 m is 540.20 hPa.
    expect(standardPressureHpa(geoid(0))).toBe(1_013.25);
    expect(standardPressureHpa(geoid(1_000))).toBeCloseTo(898.75, 1);
    expect(standardPressureHpa(geoid(5_000))).toBeCloseTo(540.2, 1);
    expect(standardTemperatureK(geoid(1_000))).toBe(281.65);
  });

  it("depend on gravity at the latitude and height", () => {
    // cos 2φ is 1, 0 and -1.
    expect(at(0, 0)).toBeCloseTo(2_276.8 / (1 - 0.002_66), 9);
    expect(at(90, 0)).toBeCloseTo(2_276.8 / (1 + 0.002_66), 9);
    expect(at(-30, 0)).toBeCloseTo(at(30, 0), 9);
    expect(at(45, 2_000)).toBeCloseTo(2_276.8 / (1 - 5.6e-4), 9);
    // A confusion of height references by 30 m is an error of about 8 mm.
    const mixed = at(45, 0) / 1_000;
    expect(mixed * (standardPressureHpa(geoid(0)) - standardPressureHpa(geoid(30)))).toBeCloseTo(8, 0);
  });

  it("propagate uncertainty as numerical derivatives do", () => {
    const zhd = hydrostaticDelayMm({ value: 1_000, sigma: 2 }, 60, geoid(100));
    const moved = hydrostaticDelayMm(exact(1_002), 60, geoid(100));
    expect(zhd.sigma).toBeCloseTo(moved.value - zhd.value, 9);
    expect(wetDelayMm({ value: 2_400, sigma: 3 }, { value: 2_300, sigma: 4 })).toEqual({ value: 100, sigma: 5 });
    const small = 1e-3;
    const iwv = (wet: number, kelvin: number): number => waterVapour(exact(wet), exact(kelvin)).value;
    const byWet = (iwv(150 + small, 275) - iwv(150 - small, 275)) / (2 * small);
    const byKelvin = (iwv(150, 275 + small) - iwv(150, 275 - small)) / (2 * small);
    const found = waterVapour({ value: 150, sigma: 5 }, { value: 275, sigma: 4 });
    expect(found.value).toBeCloseTo(23.52, 2);
    expect(found.sigma).toBeCloseTo(Math.hypot(byWet * 5, byKelvin * 4), 6);
  });

  it("report their assumptions, and are NaN if the height is unknown", () => {
    const place = { latitudeDeg: null, height: geoid(0) };
    const standard = derive({ value: 2_400, sigma: 2 }, AIR, place);
    expect(standard).toMatchObject({ isPressureGiven: false, isTemperatureGiven: false, isLatitudeKnown: false });
    expect(standard.pressureHpa).toEqual({ value: 1_013.25, sigma: 10 });
    expect(standard.zwdMm.value).toBeCloseTo(2_400 - 2_306.98, 1);
    const given = derive({ value: 2_400, sigma: 2 }, { ...AIR, pressureHpa: 990, temperatureC: 20 }, place);
    expect(given.pressureHpa).toEqual({ value: 990, sigma: 0.5 });
    expect(given.meanTemperatureK.value).toBeCloseTo(70.2 + 0.72 * 293.15, 9);
    const nowhere = derive({ value: 2_400, sigma: 2 }, { ...AIR, pressureHpa: 990 }, { latitudeDeg: 60, height: null });
    expect([nowhere.zhdMm.value, nowhere.zwdMm.value, nowhere.iwvFromDelay.value]).toEqual([NaN, NaN, NaN]);
  });

  it("are documented with the published constants", () => {
    const text = FORMULAS.map((f) => f.formula).join("\n");
    for (const constant of "0.0022768 0.00266 2.8·10⁻⁷ 461.5 22.1 373,900 70.2 0.72 1013.25 288.15 5.25588".split(" "))
      expect(text).toContain(constant);
  });
});
