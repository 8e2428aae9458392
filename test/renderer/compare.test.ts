import { describe, expect, it } from "vitest";
import type { PairStatistics, StationShape } from "#shared/bridge/methods/compare.ts";
import { CHOICES, longestStep, markSettingsOf } from "#renderer/features/compare/useCompared.ts";
import { drawDay, drawHeights } from "#renderer/features/compare/figures/boxes.ts";
import { drawLines } from "#renderer/features/compare/figures/lines.ts";
import type { Picture } from "#renderer/features/compare/figures/picture.ts";
import { drawScatter } from "#shared/plot/figure/scatter.ts";
import { pairColumns } from "#renderer/features/compare/PairsPart.tsx";
import { sortRows } from "#renderer/ui/grid/columns.ts";
import { lagText, signed, withSigma } from "#renderer/features/compare/format.ts";
import { lineEntry } from "#shared/plot/figure/compose.ts";
import type { Shape } from "#shared/plot/figure/scene.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { derivedSeriesTable } from "#renderer/features/compare/derivedSheet.ts";

const THEME: PlotTheme = { colour: (token) => token, fontFamily: "Inter" };
const RANGE = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 2) };
const STATIONS = [
  { id: "a", name: "A", slot: 0 },
  { id: "b", name: "B", slot: 1 },
];

function leaves(shapes: readonly Shape[]): Exclude<Shape, { kind: "clip" }>[] {
  return shapes.flatMap((shape) => (shape.kind === "clip" ? leaves(shape.shapes) : [shape]));
}

function texts(shapes: readonly Shape[]): string[] {
  return leaves(shapes).flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
}

function pair(aId: string, rmsMm: number, seconds: number | null = null): PairStatistics {
  const lag = seconds === null ? null : { seconds, correlation: 0.9, n: 99, gridSeconds: 300 };
  const rest = { n: 9, rejected: 0, biasMm: 1, stdMm: 1, correlation: 0.5, heightDifference: null };
  return { aId, bId: "r", rmsMm, lag, joining: "nearest", joinSeconds: 15, ...rest };
}

describe("settings of the compare view", () => {
  it("become rules for flags; rules that are off or 0 are omitted", () => {
    const { marks } = CHOICES.read(null);
    expect(markSettingsOf(marks, "pwv").range).toEqual({ min: 0, max: 100 });
    expect(markSettingsOf({ ...marks, isRangeOn: false, sigmaMm: 0, stuckMinutes: 0, isStepOn: false }, "ztd")).toEqual(
      {
        range: null,
        sigmaMm: null,
        step: null,
        stuckMinutes: null,
      },
    );
  });
});

describe("texts and tables of the compare view", () => {
  it("contain signs, uncertainties and lags", () => {
    expect([signed(1.234), signed(-0.5), signed(0), signed(NaN)]).toEqual(["+1.23", "−0.50", "0.00", "–"]);
    expect([withSigma({ value: 2_296.44, sigma: 22.7 }), withSigma({ value: 8, sigma: NaN })]).toEqual([
      "2,296.4 ±\u00a022.7",
      "8.0",
    ]);
    expect([lagText(pair("a", 1, -2_100), 6), lagText(pair("a", 1), 6)]).toEqual(["−35 (0.90)", "–"]);
    // The lag is at the limit of the search, and the true one may be larger.
    expect(lagText(pair("a", 1, 21_600), 6)).toBe("at the end, +360 (0.90)");
  });

  it("sort pairs, with missing values last in both directions", () => {
    const pairs = [pair("x", 2, 600), pair("y", NaN), pair("z", 5, -300)];
    const order = (column: "rms" | "lag" | "pair", isDescending: boolean): string =>
      sortRows(
        pairs,
        pairColumns((id) => id, 6),
        { column, isDescending },
      )
        .map((p) => p.aId)
        .join("");
    expect([order("rms", true), order("rms", false)]).toEqual(["zxy", "xzy"]);
    expect([order("lag", true), order("lag", false)]).toEqual(["xzy", "zxy"]);
    expect([order("pair", true), order("pair", false)]).toEqual(["zyx", "xyz"]);
  });
});

describe("figures of the compare view", () => {
  const box = { n: 5, p5: -4, p25: -1, p50: 0, p75: 1, p95: 4 };
  const shape = (stationId: string, height: number | null): StationShape => ({
    stationId,
    n: 5,
    marked: 0,
    counts: { range: 0, sigma: 0, step: 0, stuck: 0 },
    places: null,
    rejected: 0,
    mean: 2_400,
    height,
    anomaly: box,
    hours: Array.from({ length: 24 }, (_, i) =>
      i === 3 ? { n: 0, p5: NaN, p25: NaN, p50: NaN, p75: NaN, p95: NaN } : box,
    ),
    sigma: new Uint32Array(4),
  });
  const lines = drawLines({
    windows: [
      {
        kind: "rows",
        stationId: "a",
        range: RANGE,
        timesMs: Float64Array.of(RANGE.startMs, RANGE.startMs + 30_000),
        values: { ztd: Float64Array.of(-3, 5) },
      },
    ],
    variable: "ztd",
    stations: STATIONS,
    range: RANGE,
    label: "A − B, mm",
    stepSeconds: new Map(),
    empty: "Nothing",
  });
  const scatter = {
    n: 2,
    kind: "points",
    a: Float64Array.of(1, 2),
    b: Float64Array.of(4, 3),
  } as const;
  const all: Record<string, Picture["draw"]> = {
    lines,
    points: drawScatter(scatter, { a: "A", b: "B", biasMm: -2 }),
    density: drawScatter(
      {
        n: 7,
        kind: "density",
        cells: 2,
        counts: Uint32Array.of(3, 0, 0, 4),
        a: { low: 0, high: 1 },
        b: { low: 5, high: 6 },
      },
      { a: "A", b: "B", biasMm: NaN },
    ),
    day: drawDay([shape("a", 10), shape("b", null)], STATIONS, "ZTD"),
    heights: drawHeights([shape("a", 10), shape("b", 400)], STATIONS, { label: "ZTD", reference: "m" }),
  };

  it.each(Object.entries(all))("contain only finite numbers at any size: %s", (_, draw) => {
    for (const [width, height] of [
      [900, 400],
      [40, 30],
    ] as const) {
      const shapes = leaves(draw(width, height, THEME));
      expect(shapes.length).toBeGreaterThan(5);
      for (const one of shapes) {
        const numbers = Object.values(one).filter((value) => typeof value === "number");
        // NaN among the points of a line interrupts it.
        const points = one.kind === "line" || one.kind === "area" ? one.points.filter((p) => !Number.isNaN(p)) : [];
        expect([...numbers, ...points].every(Number.isFinite)).toBe(true);
      }
    }
  });

  it("do not depend on the means of stations at different heights", () => {
    const far = drawHeights([shape("a", 10), { ...shape("b", 400), mean: 1_900 }], STATIONS, {
      label: "ZTD",
      reference: "m",
    });
    const near = drawHeights([shape("a", 10), shape("b", 400)], STATIONS, { label: "ZTD", reference: "m" });
    expect(far(600, 300, THEME)).toEqual(near(600, 300, THEME));
  });

  it("omit stations without a height, and explain empty plots", () => {
    const one = drawHeights([shape("a", null)], STATIONS, { label: "ZTD", reference: "m" });
    expect(texts(one(600, 300, THEME))).toEqual(["No heights of stations with values"]);
    expect(texts(drawScatter(null, { a: "A", b: "B", biasMm: NaN })(600, 300, THEME))).toEqual(["No common epochs"]);
  });

  it("shorten long names of stations on their axes, and keep the unit", () => {
    const long = "A".repeat(200);
    const named = drawScatter(scatter, { a: `A: ${long}, mm`, b: `B: ${long}, mm`, biasMm: 0 })(600, 300, THEME);
    const [first, last] = texts(named).filter((text) => text.includes("AAA"));
    expect([first, last]).toEqual([
      expect.stringMatching(/^B: A{30,80}…, mm$/),
      expect.stringMatching(/^A: A{30,80}…, mm$/),
    ]);
  });

  it("are combined in one sheet with title, names, notes and source", () => {
    const part = { title: "Differences", note: "mm", height: () => 340, draw: lines };
    const legend = STATIONS.map(({ name }) => lineEntry(name, "--series-1", []));
    const sheet = composeSheet(
      { title: "Title", subtitle: "When", legend, parts: [part, part], notes: ["A note."] },
      { width: 900, height: null, theme: THEME, hasTitle: true, source: "Data from here.", legend: "top", nowMs: 0 },
    );
    expect(texts(sheet.shapes)).toEqual(
      expect.arrayContaining(["Title", "When", "A", "B", "Differences", "mm", "UTC", "Data from here."]),
    );
    const bottoms = leaves(sheet.shapes).map((s) => ("y" in s ? s.y : 0));
    expect(Math.max(...bottoms)).toBeLessThan(sheet.height);
  });
});

function windowOf(values: readonly number[]) {
  return {
    kind: "rows" as const,
    stationId: "a",
    range: { startMs: 0, endMs: 90_000 },
    timesMs: Float64Array.of(0, 30_000, 60_000),
    values: { ztd: Float64Array.from(values) },
  };
}

it("the sheet of derived series has no row where nothing was derived", () => {
  const series = {
    stationId: "a",
    stepSeconds: 30,
    zhd: windowOf([2_300, Number.NaN, 2_301]),
    zwd: windowOf([80, Number.NaN, 81]),
    iwv: windowOf([12, Number.NaN, 13]),
  };
  const rows = derivedSeriesTable({ rows: [], formulas: [], series: [series] }).rows();
  expect([...rows].map((row) => row.slice(0, 4))).toEqual([
    ["a", "1970-01-01T00:00:00.000Z", 1, 2_300],
    ["a", "1970-01-01T00:01:00.000Z", 1, 2_301],
  ]);
});

it("joins rates of PWV by what is rarest: its updates, the means or the observations of the station", () => {
  const cases = [
    [null, 30],
    [null, 900],
    [3_600, 900],
    [600, 900],
    [60, null],
  ] as const;
  expect(cases.map((seconds) => longestStep("pwv", ...seconds))).toEqual([300, 900, 3_600, 900, 300]);
});
