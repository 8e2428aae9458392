import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ComparedSites, PairedValues, Pairing, Site, SiteMatch } from "#shared/comparison.ts";
import { commonRows } from "#main/analysis/compare/join.ts";
import { gapsBetween, pairEpochs } from "#main/analysis/compare/pairing.ts";
import { comparedSeries, type ValueRows } from "#main/analysis/compare/series.ts";
import { groupStatistics, overallStatistics } from "#main/analysis/collocation/groups.ts";
import { geoidHeight, undulationOf } from "#main/analysis/collocation/heights.ts";
import { atHeightOfA, matchSites } from "#main/analysis/collocation/sites.ts";
import { pooledStatistics, rejectOutliers, statisticsOf } from "#main/analysis/collocation/statistics.ts";
import { heightsOf, type Position } from "#shared/station/position.ts";
import { PYTHONS } from "../formats/python.ts";
import { itUnless } from "../support/needs.ts";

const DAY = 86_400_000;
const NO_CHOICE = { withinKm: 2, chosen: choice([]) };

function choice(pairs: readonly (readonly [string, string])[], unmatchedA: readonly string[] = []) {
  return { pairs: new Map(pairs), unmatchedA: new Set(unmatchedA), unmatchedB: new Set<string>() };
}

function times(...timesMs: number[]) {
  return { timesMs: Float64Array.from(timesMs) };
}

it("gapsBetween counts distances of more than 2.5 usual steps between pairs", () => {
  expect(gapsBetween(times(0, 10, 20, 60, 70, 95, 121, 131, 141))).toEqual({
    count: 2,
    totalSeconds: 0.066,
    longestSeconds: 0.04,
  });
  expect(gapsBetween(times(5))).toEqual({ count: 0, totalSeconds: 0, longestSeconds: 0 });
  expect(gapsBetween(times())).toEqual({ count: 0, totalSeconds: 0, longestSeconds: 0 });
});

function site(id: string, facts: Partial<Site> = {}): Site {
  return { id, label: id, stationId: null, domes: null, position: null, ...facts };
}

function position(latitudeDeg: number, longitudeDeg: number, heights: Parameters<typeof heightsOf>[0] = {}): Position {
  return { latitudeDeg, longitudeDeg, heights: heightsOf(heights) };
}

const UNKNOWN = undulationOf([]);

const WHOLE = { range: { startMs: -Infinity, endMs: Infinity }, isOpen: false };

function line(t: number): number {
  return 2_400 + t / 8;
}

/** Pairs of moments. */
function momentPairs(a: ValueRows, b: ValueRows, ...how: [Pairing, typeof WHOLE]): PairedValues {
  return commonRows(pairEpochs(comparedSeries(a, 0), comparedSeries(b, 0), ...how));
}

function lineAt(times: readonly number[]): ValueRows {
  return { timesMs: Float64Array.from(times), values: Float64Array.from(times, line) };
}

/** Differences of 3 mm that grow by an eightieth of a millimetre per row, with noise. */
function series(n: number): PairedValues {
  const random = fc.sample(fc.double({ min: -1, max: 1, noNaN: true }), { numRuns: 2 * n, seed: 5 });
  const timesMs = Float64Array.from({ length: n }, (_, i) => 1.7e12 + i * 0.37 * DAY);
  const a = timesMs.map((_, i) => 2_400 + 30 * Math.sin(i / 9) + random[i]!);
  return { timesMs, a, b: a.map((value, i) => value - 3 - i / 80 + 2 * random[n + i]!) };
}

function matchAt(heightA: number, heightDifference: number | null): SiteMatch {
  return {
    a: site("a", { position: position(60, 20, { geoid: heightA }) }),
    b: site("b", { position: position(60, 20) }),
    by: "chosen",
    distanceKm: 0,
    heightDifference,
    isSameReference: true,
  };
}

function comparedSites(match: SiteMatch, pairs: PairedValues, rejected: number): ComparedSites {
  const cells = { aMs: 0, bMs: 0, pairedMs: 0, isOfMoments: false };
  const statistics = statisticsOf(pairs, rejected);
  return { match, rowsA: 0, rowsB: 0, correctionMm: null, pairs, gaps: gapsBetween(pairs), cells, statistics };
}

describe("pairs of epochs", () => {
  it("by linear interpolation reproduce a straight line, and do not cross a gap above the limit", () => {
    const fine = lineAt([0, 10, 20, 30, 100, 110, 120, 130]);
    const coarse = lineAt([5, 25, 60, 105, 200]);
    const pairs = momentPairs(fine, coarse, { kind: "linear", mostGapMs: 20 }, WHOLE);
    expect([...pairs.timesMs]).toEqual([5, 25, 105]);
    expect([...pairs.a]).toEqual([...pairs.b]);
    expect([...momentPairs(coarse, fine, { kind: "linear", mostGapMs: null }, WHOLE).timesMs]).toEqual([5, 25, 105]);
  });
});

describe("statistics of differences", () => {
  const python = PYTHONS.find((each) => spawnSync(each, ["-c", "import numpy"]).status === 0);
  const SCRIPT = `
import json, sys
import numpy as np
t, a, b = (np.array(x) for x in json.load(sys.stdin))
d = a - b
print(json.dumps({"n": len(d), "biasMm": d.mean(), "stdMm": d.std(ddof=1), "rmsMm": np.sqrt((d**2).mean()),
  "medianMm": np.median(d), "madMm": np.median(np.abs(d - np.median(d))), "correlation": np.corrcoef(a, b)[0, 1],
  "trendMmPerYear": np.polyfit((t - t[0]) / (365.25 * 86400000), d, 1)[0], "stdAMm": a.std(ddof=1), "stdBMm": b.std(ddof=1)}))
`;

  itUnless(python ? null : "python3 has no numpy", "match numpy", () => {
    const pairs = series(400);
    const input = JSON.stringify([[...pairs.timesMs], [...pairs.a], [...pairs.b]]);
    const { stdout, stderr } = spawnSync(python!, ["-c", SCRIPT], { input, encoding: "utf8" });
    expect(stderr).toBe("");
    const { rejected, ...ours } = statisticsOf(pairs, 0);
    expect(rejected).toBe(0);
    const theirs = JSON.parse(stdout) as typeof ours;
    const off = (Object.keys(ours) as (keyof typeof ours)[]).filter(
      (name) => !(Math.abs(ours[name] - theirs[name]) < 1e-8),
    );
    expect(off).toEqual([]);
  });

  it("have no trend over less than a month", () => {
    expect(statisticsOf(series(400), 0).trendMmPerYear).toBeGreaterThan(10);
    expect(statisticsOf(series(40), 0).trendMmPerYear).toBeNaN();
  });

  it("exclude values far from the median, but not rounding errors", () => {
    const pairs = series(200);
    pairs.a[17] = 9_000;
    const { kept, rejected } = rejectOutliers(pairs, 6);
    expect(rejected).toBe(1);
    expect(kept.timesMs).not.toContain(pairs.timesMs[17]);
    expect(statisticsOf(kept, rejected)).toMatchObject({ n: 199, rejected: 1 });
    // Also if most differences are equal: rounding errors are not outliers.
    const equal = { ...pairs, b: pairs.a.map((value) => value - 3) };
    expect(rejectOutliers(equal, 6).rejected).toBe(0);
    equal.b[3]! += 80;
    expect(rejectOutliers(equal, 6).rejected).toBe(1);
    expect(rejectOutliers(pairs, null)).toEqual({ kept: pairs, rejected: 0 });
  });

  it("of several sites are no trend and no correlation if no site has one", () => {
    // Two sites at different times, with different values and biases, and noise that is independent of both.
    const random = fc.sample(fc.double({ min: -1, max: 1, noNaN: true }), { numRuns: 4_000, seed: 7 });
    const sites = [0, 1].map((n): PairedValues => {
      const timesMs = Float64Array.from({ length: 1_000 }, (_, i) => 1.7e12 + (400 * n + i / 5) * DAY);
      const noise = (k: number) => timesMs.map((_, i) => random[1_000 * (2 * n + k) + i]!);
      return { timesMs, a: noise(0).map((x) => x + 2_400 - 300 * n), b: noise(1).map((x) => x + 2_390 - 275 * n) };
    });
    const { correlation, trendMmPerYear, biasMm } = pooledStatistics(sites, 0);
    expect(Math.abs(correlation)).toBeLessThan(0.1);
    expect(Math.abs(trendMmPerYear)).toBeLessThan(0.3);
    expect(biasMm).toBeCloseTo(-2.5, 0);
    // Of one site, pooled statistics are its own.
    const [one] = sites;
    expect(pooledStatistics([one!, { timesMs: times().timesMs, a: times().timesMs, b: times().timesMs }], 0)).toEqual(
      statisticsOf(one!, 0),
    );
  });

  it("of values are in classes of equal numbers, also if their bounds are close", () => {
    const a = Float64Array.from({ length: 1_680 }, (_, i) => 2_400 + i / 10_000);
    const pairs = { timesMs: a.map((_, i) => i * DAY), a, b: a };
    const site = comparedSites(matchAt(0, 0), pairs, 0);
    const groups = groupStatistics([site], "value");
    expect(groups.map((group) => group.statistics.n)).toEqual([336, 336, 336, 336, 336]);
    expect(new Set(groups.map((group) => group.label)).size).toBe(5);
    // Hours before 1970 are those of the day, too.
    const early = { ...site, pairs: { timesMs: Float64Array.of(-1), a: a.slice(0, 1), b: a.slice(0, 1) } };
    expect(groupStatistics([early], "hour").map((group) => group.label)).toEqual(["23 UTC"]);
  });

  it("of groups include each pair once", () => {
    const sites = [1, 2].map((n): ComparedSites => {
      const pairs = series(150 * n);
      const match: SiteMatch = {
        a: site("a", { position: position(60, 20, { geoid: 300 * n }) }),
        b: site("b"),
        by: "id",
        distanceKm: 0,
        heightDifference: null,
        isSameReference: false,
      };
      return comparedSites(match, pairs, n);
    });
    const overall = overallStatistics(sites);
    expect(overall).toMatchObject({ n: 450, rejected: 3 });
    for (const by of ["hour", "month", "height", "value"] as const) {
      const groups = groupStatistics(sites, by);
      expect(groups.reduce((sum, group) => sum + group.statistics.n, 0)).toBe(450);
      const weighted = groups.reduce((sum, { statistics: { n, biasMm } }) => sum + n * biasMm, 0) / 450;
      expect(weighted).toBeCloseTo(overall.biasMm, 9);
    }
    expect(groupStatistics(sites, "height").map((group) => group.label)).toEqual([
      "250 to 500 m above the geoid",
      "500 to 750 m above the geoid",
    ]);
  });
});

describe("matches of sites", () => {
  const b = [
    site("u1", { label: "Kallio", stationId: "3F2B8A3E-1F0A-4C55-9D1B-000000000001" }),
    site("u2", { label: "WTZR", domes: "14201M010", position: position(49.14, 12.88, { ellipsoid: 666 }) }),
    site("u3", { label: "Onsala", position: position(57.4, 11.93, { geoid: 9 }) }),
  ];
  const found = (...a: Site[]) => matchSites(a, b, NO_CHOICE).map(({ a: x, b: y, by }) => [x.id, y.id, by]);

  it("use the id, DOMES number, four-character name or position, in this order", () => {
    expect(found(site("x", { stationId: "{3f2b8a3e-1f0a-4c55-9d1b-000000000001}" }))).toEqual([["x", "u1", "id"]]);
    expect(found(site("x", { domes: "14201M010", label: "Kallio" }))).toEqual([["x", "u2", "domes"]]);
    expect(found(site("x", { label: "WTZR00DEU" }))).toEqual([["x", "u2", "name"]]);
    expect(found(site("x", { position: position(57.405, 11.94) }))).toEqual([["x", "u3", "distance"]]);
    expect(found(site("x", { position: position(57.5, 11.94) }))).toEqual([]);
  });

  it("follow the user's choice, also if a site is to stay unmatched", () => {
    const a = [site("x", { label: "WTZR" }), site("y", { label: "Kallio" })];
    const chosen = choice([["x", "u3"]], ["y"]);
    expect(matchSites(a, b, { withinKm: 1, chosen }).map((m) => [m.a.id, m.b.id, m.by])).toEqual([
      ["x", "u3", "chosen"],
    ]);
  });

  it("are the same with the two sides swapped", () => {
    const a = [site("x", { label: "WTZR00DEU" }), site("y", { label: "Nowhere" })];
    const mirrored = matchSites(b, a, { withinKm: 1, chosen: choice([["u3", "y"]]) });
    expect(mirrored.map((m) => [m.a.id, m.b.id, m.by])).toEqual([
      ["u2", "x", "name"],
      ["u3", "y", "chosen"],
    ]);
  });

  it("include the height difference, and whether both heights have the same reference", () => {
    const [same] = matchSites([site("WTZR", { position: position(49.14, 12.88, { ellipsoid: 670 }) })], b, NO_CHOICE);
    expect(same).toMatchObject({ heightDifference: 4, isSameReference: true, distanceKm: 0 });
    // Above different surfaces: no difference, unless a site nearby has both heights.
    const orthometric = { position: position(49.14, 12.88, { geoid: 620 }) };
    const [other] = matchSites([site("WTZR", orthometric)], b, NO_CHOICE);
    expect(other).toMatchObject({ heightDifference: null, isSameReference: false });
    const nearby = site("x", { position: position(49.2, 12.9, { ellipsoid: 700, geoid: 654 }) });
    const [converted] = matchSites([site("WTZR", orthometric), nearby], b, NO_CHOICE);
    expect(converted).toMatchObject({ heightDifference: 0, isSameReference: true });
    const [unsure] = matchSites([site("WTZR", { position: position(49.14, 12.88, { unknown: 620 }) })], b, NO_CHOICE);
    expect(unsure).toMatchObject({ heightDifference: -46, isSameReference: false });
  });
});

describe("a height above the geoid", () => {
  const undulation = undulationOf([position(60, 20, { ellipsoid: 118, geoid: 100 }), position(60, 20, { geoid: 7 })]);
  const of = (latitudeDeg: number, heights: Parameters<typeof heightsOf>[0]) =>
    geoidHeight(position(latitudeDeg, 20, heights), undulation);

  it("is stated, or converted by the undulation of a place nearby, or unknown", () => {
    expect(of(60, { ellipsoid: 50, geoid: 31 })).toMatchObject({ height: { metres: 31 }, by: "stated" });
    expect(of(60.1, { ellipsoid: 50 })).toMatchObject({ height: { metres: 32 }, by: "converted" });
    expect(of(60.3, { ellipsoid: 50 })).toBeNull();
    expect(of(60, { unknown: 50 })).toMatchObject({ height: { metres: 50 }, by: "assumed" });
    expect(of(60, {})).toBeNull();
  });
});

describe("height correction", () => {
  it("changes nothing at equal heights, and scales ZTD and PWV with the height difference", () => {
    expect(atHeightOfA(Float64Array.of(2_400), matchAt(100, 0), "ztd", UNKNOWN)).toEqual(Float64Array.of(2_400));
    // 100 m up: about 27 mm of hydrostatic delay, and 5 % of the wet rest.
    const [up] = atHeightOfA(Float64Array.of(2_400), matchAt(200, 100), "ztd", UNKNOWN)!;
    expect(2_400 - up!).toBeGreaterThan(26);
    expect(2_400 - up!).toBeLessThan(36);
    expect(atHeightOfA(Float64Array.of(20), matchAt(2_000, 2_000), "pwv", UNKNOWN)![0]).toBeCloseTo(20 / Math.E, 9);
  });

  it("is reversible", () => {
    const [there] = atHeightOfA(Float64Array.of(2_345.6), matchAt(500, 300), "ztd", UNKNOWN)!;
    const back = atHeightOfA(Float64Array.of(there!), matchAt(200, -300), "ztd", UNKNOWN)!;
    expect(back[0]).toBeCloseTo(2_345.6, 9);
  });

  it("is null without heights", () => {
    expect(atHeightOfA(Float64Array.of(2_400), matchAt(100, null), "ztd", UNKNOWN)).toBeNull();
  });
});
