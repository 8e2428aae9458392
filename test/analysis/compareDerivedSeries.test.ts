import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { derive, deriveRows } from "#main/analysis/derived/derive.ts";
import { waterVapour, wetDelayMm } from "#main/analysis/derived/formulas.ts";
import { drawnDerived } from "#main/app/reading/compare/derived.ts";

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
const STATION = { stationId: "s", stepMs: STEP_MS };

const PYTHON = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path));
const SKIP_REASON = reasonToSkip();

function reasonToSkip(): string | null {
  if (!PYTHON) return "no python3";
  return spawnSync(PYTHON, ["-c", "import numpy"]).status === 0 ? null : "python3 has no numpy";
}

// An independent implementation of the published formulas.
const SCRIPT = `
import json, sys
import numpy as np
g = json.load(sys.stdin)
t, ztd, s = (np.array([np.nan if x is None else x for x in g[k]]) for k in ("t", "ztd", "sigma"))
k = 2.2768 / (1 - 0.00266 * np.cos(np.radians(2 * 60.2)) - 2.8e-7 * 48)
zhd, zhd_s = k * 1002.5, k * 0.7
zwd = ztd - zhd
zwd_s = np.hypot(s, zhd_s)
tm = 70.2 + 0.72 * (4.5 + 273.15)
pi = lambda tm: 1e8 / (1000 * 461.5 * (3.739e5 / tm + 22.1))
slope = (pi(tm + 1e-3) - pi(tm - 1e-3)) / 2e-3
iwv = pi(tm) * zwd
iwv_s = np.hypot(pi(tm) * zwd_s, zwd * slope * 4)
c = np.floor((t - g["start"]) * g["columns"] / (g["end"] - g["start"])).astype(int)
columns = []
for i in range(g["columns"]):
    m = c == i
    if not m.any():
        columns.append([0])
        continue
    columns.append([int(m.sum()), float(iwv[m].min()), float(iwv[m].max()), float(iwv[m].mean()), float(np.nanmean(iwv_s[m]))])
out = lambda a: [None if np.isnan(x) else float(x) for x in a]
json.dump({"zhd": [zhd, zhd_s], "zwd": out(zwd), "zwdS": out(zwd_s), "iwv": out(iwv), "iwvS": out(iwv_s), "columns": columns}, sys.stdout)
`;
import { itUnless } from "../support/needs.ts";

interface Theirs {
  readonly zhd: readonly [number, number];
  readonly zwd: readonly number[];
  readonly zwdS: readonly (number | null)[];
  readonly iwv: readonly number[];
  readonly iwvS: readonly (number | null)[];
  readonly columns: readonly (readonly number[])[];
}

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

  it("have no rows and no column values in a gap", () => {
    const total = { timesMs: TIMES, values: ZTD, sigma: SIGMA, rejected: 0 };
    const derived = derive({ value: 2_400, sigma: 1 }, AIR, PLACE);
    const all = drawnDerived(STATION, total, derived, { range: RANGE, columns: N });
    for (const window of [all.zhd, all.zwd, all.iwv]) expect(window).toMatchObject({ kind: "rows", timesMs: TIMES });
    const few = drawnDerived(STATION, total, derived, { range: RANGE, columns: 100 });
    expect(few.stepSeconds).toBe(30);
    for (const window of [few.zhd, few.zwd, few.iwv]) {
      if (window.kind !== "columns") throw new Error("columns were expected");
      const { count, mean } = window.variables.ztd!;
      expect(count.reduce((sum, n) => sum + n, 0)).toBe(N);
      expect(count.some((n) => n === 0)).toBe(true);
      count.forEach((n, c) => expect(Number.isNaN(mean[c])).toBe(n === 0));
    }
  });

  itUnless(SKIP_REASON, "match numpy", () => {
    const columns = 60;
    const nulled = Array.from(SIGMA, (s) => (Number.isNaN(s) ? null : s));
    const given = { t: [...TIMES], ztd: [...ZTD], sigma: nulled, start: RANGE.startMs, end: RANGE.endMs, columns };
    const run = spawnSync(PYTHON!, ["-c", SCRIPT], { input: JSON.stringify(given), encoding: "utf8", maxBuffer: 1e8 });
    expect(run.stderr).toBe("");
    const theirs = JSON.parse(run.stdout) as Theirs;
    const rows = deriveRows(ZTD, SIGMA, zhdMm, meanTemperatureK);
    expectClose([rows.zhd.values[7]!, rows.zhd.sigma[7]!], theirs.zhd);
    expectClose(rows.zwd.values, theirs.zwd);
    expectClose(rows.zwd.sigma, theirs.zwdS);
    expectClose(rows.iwv.values, theirs.iwv);
    expectClose(rows.iwv.sigma, theirs.iwvS);
    const total = { timesMs: TIMES, values: ZTD, sigma: SIGMA, rejected: 0 };
    const { iwv } = drawnDerived(STATION, total, derive({ value: 2_400, sigma: 1 }, AIR, PLACE), {
      range: RANGE,
      columns,
    });
    if (iwv.kind !== "columns") throw new Error("columns were expected");
    const { ztd, ztd_sigma: sigma } = iwv.variables;
    const { count, min, max, mean } = ztd!;
    expect([...count]).toEqual(theirs.columns.map(([n]) => n));
    const ofColumn = (c: number): (number | null)[] =>
      count[c] === 0 ? [null, null, null, null] : theirs.columns[c]!.slice(1);
    expectClose(
      Array.from(count, (_, c) => [min[c]!, max[c]!, mean[c]!, sigma!.mean[c]!]).flat(),
      Array.from(count, (_, c) => ofColumn(c)).flat(),
    );
  });
});
