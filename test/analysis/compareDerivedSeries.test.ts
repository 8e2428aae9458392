import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { derive, deriveRows } from "#main/analysis/derived/derive.ts";
import { waterVapour, wetDelayMm } from "#main/analysis/derived/formulas.ts";
import { createPace } from "#main/app/pace.ts";
import { openCache } from "#main/store/index.ts";
import type { DerivedSeries } from "#shared/bridge/methods/compare.ts";
import { stationSchema } from "#shared/service/catalogue.ts";
import { valueOf } from "../app/window.ts";
import { temporaryFolders } from "../support/folder.ts";
import { never } from "../support/desk.ts";
import { settled } from "../support/judge.ts";
import { readDerived } from "#main/app/reading/compare/stations.ts";

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 30_000;
const N = 5_000;
const PLACE = { latitudeDeg: 60.2, height: { metres: 48, above: "geoid" } } as const;
const AIR = {
  pressureHpa: 1_002.5,
  temperatureC: 4.5,
  sigmaPressureHpa: 0.7,
  sigmaStandardPressureHpa: 10,
  sigmaMeanTemperatureK: 4,
};
/** With a gap of one day in the middle; the uncertainty of some values is unknown. */
const TIMES = Float64Array.from({ length: N }, (_, i) => START_MS + i * STEP_MS + (i >= 2_500 ? 86_400_000 : 0));
const ZTD = Float64Array.from({ length: N }, (_, i) => 2_360 + 25 * Math.sin(i / 400) + (i % 7) / 10);
const SIGMA = Float64Array.from({ length: N }, (_, i) => (i % 50 === 3 ? Number.NaN : 1.4 + (i % 5) / 10));
const RANGE = { startMs: START_MS, endMs: TIMES.at(-1)! + STEP_MS };
const folder = temporaryFolders();

/** Expects equal values within 1e-8, and NaN in the same places. */
function expectClose(ours: Iterable<number>, theirs: readonly (number | null)[]): void {
  const found = [...ours];
  const expected = theirs.map((value) => value ?? Number.NaN);
  expect(found.map((value) => Number.isNaN(value))).toEqual(expected.map((value) => Number.isNaN(value)));
  const away = found.map((value, i) => Math.abs(value - expected[i]!)).filter((value) => !Number.isNaN(value));
  expect(Math.max(0, ...away)).toBeLessThan(1e-8);
}

describe("derived quantities over time", () => {
  const { zhdMm, meanTemperatureK } = derive({ value: 2_400, sigma: 1 }, AIR, PLACE);

  it("match the formulas for a single delay", () => {
    const rows = deriveRows(ZTD, SIGMA, zhdMm, meanTemperatureK);
    for (const i of [0, 3, 1_234, N - 1]) {
      const wet = wetDelayMm({ value: ZTD[i]!, sigma: SIGMA[i]! }, zhdMm);
      const vapour = waterVapour(wet, meanTemperatureK);
      expect([rows.zhd.values[i], rows.zhd.sigma[i]]).toEqual([zhdMm.value, zhdMm.sigma]);
      expect(rows.zwd.values[i]).toBe(wet.value);
      expect(rows.iwv.values[i]).toBe(vapour.value);
      expectClose([rows.zwd.sigma[i]!, rows.iwv.sigma[i]!], [wet.sigma, vapour.sigma]);
    }
  });

  it("have no uncertainty of ZWD and IWV if that of the delay is not cached", () => {
    const rows = deriveRows(ZTD.subarray(0, 2), null, zhdMm, meanTemperatureK);
    expect([...rows.zwd.sigma, ...rows.iwv.sigma].every(Number.isNaN)).toBe(true);
    expect([...rows.zhd.sigma]).toEqual([zhdMm.sigma, zhdMm.sigma]);
  });

  it("have no rows and no column values in a gap", async () => {
    const cache = openCache(join(folder(), "cache.db"));
    const stored = { intervalSeconds: null, raw: false };
    const writer = cache.openResponse({ stationIds: ["s"], variables: ["ztd", "ztd_sigma"], range: RANGE, ...stored });
    writer.add({ stationId: "s", timesMs: TIMES, scalars: { ztd: ZTD, ztd_sigma: SIGMA }, texts: {} });
    writer.commit(settled(RANGE));
    const station = stationSchema.parse({ id: "s", latitude: PLACE.latitudeDeg, resolution_seconds: STEP_MS / 1_000 });
    cache.replaceCatalogue(
      [{ ...station, ellipsoidalHeight: null, orthometricHeight: PLACE.height.metres }],
      [],
      START_MS,
    );
    const marks = { range: null, sigmaMm: null, step: null, stuckMinutes: null };
    const query = { stationIds: ["s"], range: RANGE, mode: { ...stored, resampled: false }, marks, leavesOut: false };
    const derived = async (columns: number): Promise<DerivedSeries> => {
      const found = await readDerived(cache, { ...query, ...AIR, atmospheres: { s: AIR }, columns }, createPace(never));
      return valueOf(found).series[0]!;
    };
    const [all, few] = [await derived(N), await derived(100)];
    cache.close();
    for (const window of [all.zhd, all.zwd, all.iwv]) expect(window).toMatchObject({ kind: "rows", timesMs: TIMES });
    const [zhd, zwd, iwv] = [all.zhd, all.zwd, all.iwv].map((window) =>
      window.kind === "rows" ? window.values.ztd! : [],
    );
    expectClose(
      ZTD,
      Array.from(zhd!, (value, i) => value + zwd![i]!),
    );
    expectClose(
      iwv!,
      Array.from(zwd!, (value) => (value * iwv![0]!) / zwd![0]!),
    );
    expect(few.stepSeconds).toBe(30);
    for (const window of [few.zhd, few.zwd, few.iwv]) {
      if (window.kind !== "columns") throw new Error("columns were expected");
      const { count, mean } = window.variables.ztd!;
      expect(count.reduce((sum, n) => sum + n, 0)).toBe(N);
      expect(count.some((n) => n === 0)).toBe(true);
      count.forEach((n, c) => expect(Number.isNaN(mean[c])).toBe(n === 0));
    }
  });
});
