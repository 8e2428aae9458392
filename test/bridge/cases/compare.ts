import { expect } from "vitest";
import { HOUR_MS } from "#shared/time/utc.ts";
import { AWKWARD, KEPT, NEVER_ASKED, ONE, READ_NATIVE, START_MS, STEP_MS, ztdMm } from "../fixture.ts";
import { type Cases, faultOf, valueOf } from "./case.ts";

// After the first rows, which have special values.
const range = { startMs: START_MS + AWKWARD.length * STEP_MS, endMs: START_MS + HOUR_MS };
const rows = HOUR_MS / STEP_MS - AWKWARD.length;
const selection = {
  connectionId: KEPT,
  stationIds: [ONE, NEVER_ASKED],
  range,
  mode: READ_NATIVE,
  marks: { range: { min: 0, max: 2_405 }, sigmaMm: null, step: null, stuckMinutes: null },
  leavesOut: false,
};
const ztd = { ...selection, variable: "ztd" as const };
/** No station of these cases has a height above the geoid. */
const heights = "EGM2008" as const;
const sent = Array.from({ length: rows }, (_, i) => ztdMm(i + AWKWARD.length));

export const compareCases: Cases<`compare.${string}`> = {
  async "compare.pairs"({ bridge }) {
    const found = valueOf(
      await bridge.compare.pairs({ ...ztd, heights, referenceId: ONE, joining: "nearest", columns: 100 }),
    );
    expect(found.pairs).toHaveLength(1);
    expect(found.pairs[0]).toMatchObject({
      aId: NEVER_ASKED,
      bId: ONE,
      n: 0,
      rejected: 0,
      biasMm: Number.NaN,
      lag: null,
    });
    expect(found.differences.map((d) => [d.kind, d.stationId])).toEqual([["rows", NEVER_ASKED]]);
    const above = sent.filter((value) => value > 2_405).length;
    expect(above).toBeGreaterThan(0);
    const none = { range: 0, sigma: 0, step: 0, stuck: 0 };
    expect(found.stations).toMatchObject([
      { stationId: ONE, n: rows, marked: above, counts: { ...none, range: above } },
      { stationId: NEVER_ASKED, n: 0, marked: 0, counts: none, places: null },
    ]);
    const places = found.stations[0]!.places!;
    expect(places.range.reduce((sum, n) => sum + n, 0)).toBe(above);
    expect(places.sigma.some((n) => n > 0)).toBe(false);
    const text = {
      ...ztd,
      heights,
      variable: "prn" as const,
      referenceId: ONE,
      joining: "nearest" as const,
      columns: 100,
    };
    expect(faultOf(await bridge.compare.pairs(text)).kind).toBe("usage");
  },
  async "compare.scatter"({ bridge }) {
    const found = valueOf(await bridge.compare.scatter({ ...ztd, aId: ONE, bId: ONE, joining: "nearest" }));
    if (found.kind !== "points") throw new Error("points were expected");
    expect(found.a).toEqual(Float64Array.from(sent));
    expect(found.b).toEqual(found.a);
  },
  async "compare.stations"({ bridge }) {
    const found = valueOf(await bridge.compare.stations({ ...ztd, heights }));
    const mean = sent.reduce((sum, value) => sum + value, 0) / rows;
    expect(found.heightReference).toBe("WGS84_ELLIPSOID");
    expect(found.stations[0]).toMatchObject({ stationId: ONE, n: rows, rejected: 0, height: 10 });
    expect(found.stations[0]!.mean).toBeCloseTo(mean, 9);
    expect(found.stations[0]!.hours.map((box) => box.n)).toEqual([rows, ...Array.from({ length: 23 }, () => 0)]);
    expect(found.stations[1]).toMatchObject({ n: 0, mean: Number.NaN });
  },
  async "compare.rate"({ bridge }) {
    const found = valueOf(await bridge.compare.rate({ ...selection, windowMinutes: 30, columns: 100 }));
    expect(found.map((window) => window.stationId)).toEqual([ONE, NEVER_ASKED]);
    const [first] = found;
    if (first?.kind !== "rows") throw new Error("rows were expected");
    // Each value, every five minutes, is larger by a hundredth of a millimetre.
    const rates = first.values.pwv!.filter((rate) => !Number.isNaN(rate));
    expect(rates).toHaveLength(11);
    for (const rate of rates) expect(rate).toBeCloseTo(0.12, 9);
  },
  async "compare.derived"({ bridge }) {
    const found = valueOf(
      await bridge.compare.derived({
        ...selection,
        stationIds: [ONE],
        atmospheres: { [ONE]: { pressureHpa: 1_000, temperatureC: null } },
        sigmaPressureHpa: 1,
        sigmaStandardPressureHpa: 10,
        sigmaMeanTemperatureK: 5,
        columns: 100,
      }),
    );
    expect(found.series).toEqual([]);
    // Without a height above the geoid, nothing is derived.
    expect(found.rows[0]).toMatchObject({ stationId: ONE, n: rows, orthometricHeight: null, isPressureGiven: true });
    expect(found.rows[0]!.zhdMm).toEqual({ value: Number.NaN, sigma: Number.NaN });
    expect(found.formulas.map((f) => f.name)).toContain("ZHD");
  },
};
