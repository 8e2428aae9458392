import { describe, expect, it } from "vitest";
import { arrange, offsetOf, splitPanels, summaryOf } from "#renderer/plot/arrange.ts";
import { composeHovmoller, distanceKm, sortRows } from "#renderer/plot/hovmoller.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import type { PanelLine, PanelModel } from "#shared/plot/panel.ts";
import { PanelContent } from "#shared/plot/panelContent.ts";
import { roundUp } from "#shared/plot/scale.ts";
import type { Track } from "#shared/plot/track.ts";
import { type Cell, POINT, timeAfterStartMs } from "#shared/series/cell.ts";
import { HOUR_MS } from "#shared/time/utc.ts";

const RANGE = { startMs: 0, endMs: 4_000 };

function line(stationId: string, values: readonly number[]): PanelLine {
  const track: Track = {
    kind: "rows",
    range: RANGE,
    stepMs: 1_000,
    timesMs: Float64Array.from(values, (_, i) => i * 1_000),
    values: Float64Array.from(values),
    sigma: null,
  };
  return { stationId, name: stationId, track, colour: "--series-1", dash: [], rejected: null };
}

function panel(lines: readonly PanelLine[]): PanelModel {
  const quantity = { key: "ztd", short: "ZTD", label: "Zenith total delay", unit: "mm" };
  return { quantity, lines, fromFiles: [], gaps: [], bounds: [2_000, 2_500], hasTimeAxis: true };
}

const NOTES = [{ atMs: 1_000, text: "Receiver changed" }];

/** A panel with a threshold at 2,600 and a note. */
function annotated(lines: readonly PanelLine[]): PanelModel {
  const thresholds = [{ key: "ztd", value: 2_600, text: "Warning" }];
  return { ...panel(lines), bounds: null, annotations: { thresholds, notes: NOTES } };
}

function valuesOf({ track }: PanelLine): number[] {
  return track?.kind === "rows" ? [...track.values] : [];
}

const LOW = line("low", [2_400, 2_402, Number.NaN, 2_404]);
const HIGH = line("high", [2_000, 2_010, 2_020, 2_030]);

describe("lines of many stations", () => {
  it("are reduced by their mean over the range as anomalies, and the quantity is renamed", () => {
    const { lines, quantity, bounds } = arrange(panel([LOW, HIGH]), "anomalies", RANGE, { "ztd.anomalies": [-9, 9] });
    expect(lines.map(valuesOf)).toEqual([
      [-2, 0, Number.NaN, 2],
      [-15, -5, 5, 15],
    ]);
    expect([quantity.short, quantity.unit, bounds]).toEqual(["ZTD anomaly", "mm", [-9, 9]]);
    // The mean of a part of the range covers only its values.
    expect(summaryOf(HIGH.track!, { startMs: 1_000, endMs: 3_000 })).toEqual({ mean: 2_015, span: 10 });
  });

  it("have summaries of columns weighted by row counts", () => {
    const track: Track = {
      kind: "columns",
      range: RANGE,
      stepMs: 500,
      sigma: null,
      data: {
        count: Uint32Array.of(3, 0, 1, 5),
        min: Float64Array.of(1, Number.NaN, 5, 90),
        max: Float64Array.of(3, Number.NaN, 5, 99),
        mean: Float64Array.of(2, Number.NaN, 6, 95),
      },
    };
    expect(summaryOf(track, { startMs: 0, endMs: 3_000 })).toEqual({ mean: 3, span: 4 });
  });

  it("are separated by one round offset, which the label states", () => {
    const { lines, quantity } = arrange(panel([LOW, HIGH]), "offsets", RANGE, {});
    expect(offsetOf([LOW, HIGH], RANGE)).toBe(50);
    expect(lines.map(valuesOf)).toEqual([valuesOf(LOW), [2_050, 2_060, 2_070, 2_080]]);
    expect(quantity.label).toBe("Zenith total delay: each line is 50 mm above the one before");
    expect([0.3, 1, 4, 30].map(roundUp)).toEqual([0.5, 1, 5, 50]);
    expect(offsetOf([], RANGE)).toBe(1);
  });
});

describe("thresholds and notes", () => {
  it.each(["anomalies", "offsets"] as const)("are notes alone on the axis of %s, which shows other values", (moved) => {
    const content = new PanelContent(arrange(annotated([LOW, HIGH]), moved, RANGE, {}));
    content.prepare(RANGE, 400);
    expect(content.bounds[1]).toBeLessThan(2_600);
    expect(content.model.annotations).toEqual({ thresholds: [], notes: NOTES });
  });

  it("are in each of the small multiples, within their axes", () => {
    const split = splitPanels([annotated([LOW, HIGH])], RANGE, false);
    expect(split.map(({ annotations }) => [annotations?.thresholds[0]?.value, annotations?.notes])).toEqual([
      [2_600, NOTES],
      [2_600, NOTES],
    ]);
    expect(split[0]?.bounds?.[1]).toBeGreaterThan(2_600);
  });
});

function lane(stationId: string): PanelModel["gaps"][number] {
  return { stationId, gaps: [{ range: RANGE, cause: "notRequested" }] };
}

describe("small multiples", () => {
  const ztd = { ...panel([LOW, HIGH]), bounds: null, gaps: [lane("high"), lane("low")] };
  const file = { ...line("file", [1]), name: "KIRK · own.csv" };
  const pwv: PanelModel = {
    ...ztd,
    quantity: { ...ztd.quantity, key: "pwv" },
    lines: [LOW],
    gaps: [],
    fromFiles: [file],
  };

  it("have a panel with its gaps for each line, grouped by station", () => {
    const split = splitPanels([ztd, pwv], RANGE, false);
    expect(split.map((model) => [model.heading, model.quantity.key])).toEqual([
      ["low", "ztd"],
      ["low", "pwv"],
      ["high", "ztd"],
      ["KIRK · own.csv", "pwv"],
    ]);
    expect(split.map(({ gaps }) => gaps.map((each) => each.stationId))).toEqual([["low"], [], ["high"], []]);
    expect(split.map(({ lines, fromFiles }) => [lines.length, fromFiles.length])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it("share one axis for each quantity, fixed or fitted to all values, unless axes are independent", () => {
    const [low, , high] = splitPanels([ztd, pwv], RANGE, false);
    expect(high?.bounds).toBe(low?.bounds);
    const [foot = Number.NaN, top = Number.NaN] = low?.bounds ?? [];
    expect([foot < 2_000, foot > 1_900, top > 2_404, top < 2_500]).toEqual([true, true, true, true]);
    expect(splitPanels([{ ...ztd, bounds: [1, 2] }], RANGE, false).map(({ bounds }) => bounds)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(splitPanels([{ ...ztd, bounds: [1, 2] }], RANGE, true).map(({ bounds }) => bounds)).toEqual([null, null]);
    expect(splitPanels([{ ...ztd, lines: [{ ...LOW, track: null }] }], RANGE, false)[0]?.bounds).toBeNull();
  });
});

describe("a Hovmöller diagram", () => {
  const places = new Map([
    ["a", { latitudeDeg: 60, longitudeDeg: 25 }],
    ["b", { latitudeDeg: 45, longitudeDeg: 7 }],
    ["c", { latitudeDeg: 61, longitudeDeg: 24 }],
  ]);
  const lines = ["a", "b", "nowhere", "c"].map((id, i) => line(id, [i, i, i + 10, i + 10]));
  const sorted = (order: "longitude" | "latitude" | "distance"): string =>
    sortRows(lines, (id) => places.get(id), order)
      .map((row) => row.line.stationId)
      .join(" ");

  it("sorts stations, with unknown positions last", () => {
    expect(sorted("longitude")).toBe("b c a nowhere");
    expect(sorted("latitude")).toBe("c a b nowhere");
    expect(sorted("distance")).toBe("a c b nowhere");
    expect(distanceKm({ latitudeDeg: 0, longitudeDeg: 0 }, { latitudeDeg: 0, longitudeDeg: 90 })).toBeCloseTo(
      10_008,
      0,
    );
  });

  it("merges equal neighbouring values, hatches gaps, and has a labelled scale", () => {
    const theme = { colour: (token: string) => (token.startsWith("--ramp") ? "#336699" : "#000000"), fontFamily: "x" };
    const rows = [
      { line: line("one", [0, 0, Number.NaN, 100]), position: 1 },
      { line: { ...LOW, track: null }, position: 2 },
    ];
    const quantity = { key: "ztd", short: "ZTD", label: "", unit: "mm" };
    const diagram = {
      quantity,
      rows,
      order: "longitude",
      isAnomaly: false,
      gaps: [{ stationId: "one", gaps: [{ range: { startMs: 2_000, endMs: 3_000 }, cause: "failed" as const }] }],
      view: RANGE,
      title: "",
    } as const;
    const scene = composeHovmoller(diagram, { width: 642, height: 300 }, theme);
    const clip = scene.shapes.find((shape): shape is Extract<VectorShape, { kind: "clip" }> => shape.kind === "clip");
    const pieces = clip?.shapes.flatMap((shape) => (shape.kind === "rect" ? [[shape.x - clip.x, shape.width]] : []));
    // 400 px for four seconds: two equal values, a gap, another value.
    expect(pieces).toEqual([
      [0, 200],
      [300, 100],
    ]);
    const missing = clip?.shapes.flatMap((shape) =>
      shape.kind === "hatch" ? [[shape.cause, shape.x - clip.x, shape.width]] : [],
    );
    expect(missing).toEqual([["failed", 200, 100]]);
    // Half of the range during a pan, with the scale of the whole range.
    const moved = composeHovmoller(diagram, { width: 642, height: 300 }, theme, { startMs: 0, endMs: 2_000 });
    const labels = moved.shapes.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    for (const text of ["0", "100"]) expect(labels).toContain(text);
    const words = scene.shapes.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
    for (const text of ["ZTD mm, stations by longitude", "one", "UTC", "mm", "0", "100"]) expect(words).toContain(text);
  });

  it("colours the interval of a mean, wherever its time lies in it, and a moment until the next one is due", () => {
    const theme = { colour: () => "#336699", fontFamily: "x" };
    const quantity = { key: "ztd", short: "ZTD", label: "", unit: "mm" };
    // 400 px for 40 h; means over six hours, two of them missing, so that their step is not their length.
    const view = { startMs: 0, endMs: 144_000_000 };
    const hours = [0, 12, 24];
    const pixelsOf = (cell: Cell | null, kind: Track["kind"]): number[][] => {
      const timesMs = Float64Array.from(hours, (h) => h * HOUR_MS + timeAfterStartMs(cell));
      const values = Float64Array.of(0, 100, 0);
      const base = { range: view, stepMs: 12 * HOUR_MS, sigma: null, cell };
      // Columns of an hour.
      const count = Float64Array.from({ length: 40 }, (_, c) => Number(timesMs.includes(c * HOUR_MS)));
      const filled = count.map((n, c) => (n === 0 ? Number.NaN : (values[timesMs.indexOf(c * HOUR_MS)] ?? 0)));
      const track: Track =
        kind === "rows"
          ? { ...base, kind, timesMs, values }
          : { ...base, kind, data: { count: Uint32Array.from(count), min: filled, max: filled, mean: filled } };
      const rows = [{ line: { ...LOW, track }, position: 1 }];
      const diagram = { quantity, rows, order: "longitude", isAnomaly: false, gaps: [], view, title: "" } as const;
      const scene = composeHovmoller(diagram, { width: 642, height: 300 }, theme);
      const clip = scene.shapes.find((shape): shape is Extract<VectorShape, { kind: "clip" }> => shape.kind === "clip");
      return clip?.shapes.flatMap((s) => (s.kind === "rect" ? [[s.x - clip.x, s.width]] : [])) ?? [];
    };
    const intervals = hours.map((h) => [h * 10, 60]);
    for (const time of ["start", "middle", "end"] as const) {
      const cell = { kind: "interval", lengthMs: 6 * HOUR_MS, time } as const;
      expect(pixelsOf(cell, "rows")).toEqual(intervals);
      // A column may hold more than one mean: its values cover as much more as it is wide.
      expect(pixelsOf(cell, "columns")).toEqual(hours.map((h) => [h * 10, 70]));
    }
    for (const cell of [POINT, null]) expect(pixelsOf(cell, "rows")).toEqual(hours.map((h) => [h * 10, 120]));
  });

  it("has a row for each series of an opened file, at its place", () => {
    const file = { ...line("file", [1, 2]), place: { latitudeDeg: 60.5, longitudeDeg: 24.5 } };
    const rows = sortRows([...lines, file], (id) => places.get(id), "longitude");
    expect(rows.map((row) => row.line.stationId)).toEqual(["b", "c", "file", "a", "nowhere"]);
  });
});
