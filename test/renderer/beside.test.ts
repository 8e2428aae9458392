import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { SeriesGaps, SeriesWindow } from "#shared/bridge/methods/series.ts";
import {
  type Annotations,
  annotationShapes,
  annotationsSchema,
  withNote,
  withThreshold,
} from "#shared/plot/annotations.ts";
import { sceneTexts, type VectorShape } from "#shared/plot/figure/scene.ts";
import { seriesFigure } from "#shared/plot/figure/seriesFigure.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import type { Track } from "#shared/plot/track.ts";
import { panelModels } from "#shared/plot/panels.ts";
import { success } from "#shared/service/error.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { withAnnotations } from "#renderer/features/series/Annotations.tsx";
import { readParts } from "#renderer/plot/readout.ts";
import { besideWords, earlierWindows, shiftOf, withBeside } from "#renderer/features/series/beside.ts";

const START_MS = Date.UTC(2026, 10, 21);
const RANGE: TimeRange = { startMs: START_MS, endMs: START_MS + DAY_MS };
const THEME = { colour: () => "#000000", fontFamily: "sans-serif" };
const PAGE = {
  width: 800,
  height: null,
  theme: THEME,
  hasTitle: true,
  source: "",
  legend: "top",
  nowMs: RANGE.endMs,
} as const;
const LOOK = { colour: "#000", background: "#fff" };
const QUERY = {
  connectionId: "c",
  stationIds: ["a"],
  variables: ["ztd"] as const,
  mode: { intervalSeconds: null, raw: false, resampled: false },
  columns: 100,
  mostRows: 1_000,
};

/** Answers with a row an hour, whose values are the hours since 1970. */
const hourly: Pick<Bridge["series"], "window"> = {
  window({ range, stationIds }) {
    const first = Math.ceil(range.startMs / HOUR_MS);
    const hours = Array.from({ length: Math.max(0, Math.ceil(range.endMs / HOUR_MS) - first) }, (_, i) => first + i);
    const windows = stationIds.map((stationId): SeriesWindow => ({
      kind: "rows",
      stationId,
      range,
      timesMs: Float64Array.from(hours, (h) => h * HOUR_MS),
      values: { ztd: Float64Array.from(hours) },
    }));
    return Promise.resolve(success(windows));
  },
};

test("values of an earlier time are drawn exactly the shift after their own times, within the range", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -400 * 24, max: 400 * 24 }), async (hours) => {
      const shiftMs = hours * HOUR_MS;
      const answer = await earlierWindows(() => shiftMs, hourly).window({ ...QUERY, range: RANGE });
      const [window] = answer.ok ? answer.value : [];
      if (window?.kind !== "rows") throw new Error("no rows");
      expect(window.range).toEqual(RANGE);
      expect([...window.timesMs]).toEqual(Array.from({ length: 24 }, (_, i) => START_MS + i * HOUR_MS));
      expect([...(window.values.ztd ?? [])]).toEqual([...window.timesMs].map((ms) => (ms - shiftMs) / HOUR_MS));
    }),
  );
});

test("the year before is the same date, also after the 29th of February", () => {
  expect(shiftOf("year", RANGE)).toBe(365 * DAY_MS);
  expect(shiftOf("year", { startMs: Date.UTC(2024, 2, 1), endMs: Date.UTC(2024, 2, 2) })).toBe(366 * DAY_MS);
  expect(besideWords(RANGE, 365 * DAY_MS)).toBe("365 d earlier, 2025-11-21 00:00 → 2025-11-22 00:00 UTC");
});

/** @param gaps of the earlier time, at their own times */
async function models(gaps: readonly SeriesGaps[] = []): Promise<readonly PanelModel[]> {
  const answer = await hourly.window({ ...QUERY, range: RANGE });
  const windows = new Map(answer.ok ? answer.value.map((w) => [w.stationId, w]) : []);
  const own = panelModels({
    panels: ["ztd"],
    showSigma: false,
    intervalSeconds: null,
    stations: [{ id: "a", name: "Kallio", slot: 0 }],
    windows,
    rejected: new Map(),
    gaps: [],
    bounds: {},
  });
  const shiftMs = 365 * DAY_MS;
  return withBeside(own, { windows, gaps, startMs: START_MS - shiftMs, shiftMs, intervalSeconds: null });
}

test("values of an earlier time are read with the digits of their station", async () => {
  const [model] = await models();
  const one = { count: 3, min: 2_297.3, max: 2_298.2, mean: 2_297.7233 };
  const data = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Float64Array.of(value)]));
  const track = { kind: "columns", range: RANGE, data, stepMs: HOUR_MS } as unknown as Track;
  const texts = [model!.lines[0]!, model!.fromFiles[0]!].map((line) =>
    readParts(model!, { ...line, track }, START_MS + HOUR_MS).map(({ text }) => text),
  );
  expect(texts[0]).toEqual(["2,297.7 mm ", "(mean of 3, 2,297.3–2,298.2)"]);
  expect(texts[1]).toEqual(texts[0]);
});

test("a figure names the earlier lines, thresholds and notes, and keeps thresholds within its axis", async () => {
  const middle = START_MS / HOUR_MS + 12;
  const annotations = annotationsSchema.parse({
    thresholds: [
      { key: "ztd", value: middle + 40, text: "Warning" },
      { key: "pwv", value: 1, text: "Of another quantity" },
    ],
    notes: [{ atMs: START_MS + 6 * HOUR_MS, text: "Receiver changed" }],
  });
  const shown = withAnnotations(await models(), annotations);
  const scene = seriesFigure(shown, RANGE, { drawn: 1, selected: 1 }).compose(PAGE);
  const texts = sceneTexts(scene.shapes);
  expect(texts).toContain("Kallio from 2025-11-21");
  expect(texts).toContain("Receiver changed");
  expect(texts.some((text) => text.startsWith("Warning "))).toBe(true);
  expect(texts.some((text) => text.startsWith("Of another quantity"))).toBe(false);
});

test("a gap of the earlier time has the mark of its cause, at the shifted time, and is read by its cause", async () => {
  const at = (hour: number): number => START_MS - 365 * DAY_MS + hour * HOUR_MS;
  const gap = { range: { startMs: at(6), endMs: at(12) }, cause: "notRequested" as const };
  const earlier = { stationId: "a", variable: "ztd" as const, gaps: [gap], stepSeconds: 3_600, untilMs: at(24) };
  const [model] = await models([{ ...earlier, secondsByCause: { notRequested: 6 * 3_600 } }]);
  const scene = seriesFigure([model!], RANGE, { drawn: 1, selected: 1 }).compose(PAGE);
  const inside = (shapes: readonly VectorShape[]): VectorShape[] =>
    shapes.flatMap((shape) => (shape.kind === "clip" ? inside(shape.shapes) : [shape]));
  const marks = inside(scene.shapes).flatMap((shape) => (shape.kind === "hatch" ? [shape] : []));
  const widest = marks.toSorted((a, b) => b.width - a.width)[0]!;
  // A quarter of the day, which is less wide than the page by the labels of the axis.
  expect(widest.cause).toBe("notRequested");
  expect(widest.width / PAGE.width).toBeGreaterThan(0.2);
  expect(widest.width / PAGE.width).toBeLessThan(0.25);
  const line = { ...model!.fromFiles[0]!, track: null };
  expect(readParts(model!, line, START_MS + 8 * HOUR_MS)).toEqual([{ text: "not downloaded", isQuiet: true }]);
  expect(readParts(model!, line, START_MS + 14 * HOUR_MS)).toEqual([{ text: "no value", isQuiet: true }]);
});

test("notes are drawn at their moment and thresholds at their value, only inside the plot", () => {
  const box = { left: 50, top: 10, width: 200, height: 100, low: 0, high: 10 };
  fc.assert(
    fc.property(
      fc.integer({ min: -2_000, max: 3_000 }).map((n) => n / 100),
      fc.integer({ min: -500, max: 1_500 }).map((n) => n / 1_000),
      (value, share) => {
        const atMs = START_MS + share * DAY_MS;
        const given = { thresholds: [{ key: "ztd", value, text: "" }], notes: [{ atMs, text: "front" }] };
        const shapes = annotationShapes(given, box, RANGE, LOOK);
        const lines = shapes.flatMap((shape) => (shape.kind === "line" ? [shape.points] : []));
        const isValueInside = value >= 0 && value <= 10;
        const isMomentInside = atMs >= RANGE.startMs && atMs <= RANGE.endMs;
        const expected = [
          ...(isValueInside ? [[50, 110 - 10 * value, 250, 110 - 10 * value]] : []),
          ...(isMomentInside ? [[50 + 200 * share, 10, 50 + 200 * share, 110]] : []),
        ];
        expect(lines.map((points) => [...points].map((n) => n.toFixed(3)))).toEqual(
          expected.map((points) => points.map((n) => n.toFixed(3))),
        );
        expect(sceneTexts(shapes).includes("front")).toBe(isMomentInside);
      },
    ),
  );
});

test("texts of notes and thresholds are whole, inside the plot, and leave their lines visible", () => {
  const box = { left: 50, top: 10, width: 200, height: 300, low: 0, high: 10 };
  const words = fc.array(fc.constantFrom("front", "receiver", "of", "changed"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 100 }), (all, percent) => {
      const content = all.join(" ");
      const given = {
        thresholds: [{ key: "ztd", value: percent / 10, text: content }],
        notes: [{ atMs: START_MS + (percent / 100) * DAY_MS, text: content }],
      };
      const shapes = annotationShapes(given, box, RANGE, LOOK);
      expect(sceneTexts(shapes).join(" ").split(content)).toHaveLength(3);
      // A ground for each line of words, below all words.
      const kinds = shapes.flatMap(({ kind }) => (kind === "line" ? [] : [kind]));
      const n = kinds.length / 2;
      expect(kinds).toEqual([...Array.from({ length: n }, () => "rect"), ...Array.from({ length: n }, () => "text")]);
      for (const alone of [
        { ...given, notes: [] },
        { ...given, thresholds: [] },
      ]) {
        const own = annotationShapes(alone, box, RANGE, LOOK);
        const [x0 = 0, y0 = 0, x1 = 0] = own.flatMap((shape) => (shape.kind === "line" ? [...shape.points] : []));
        for (const { x, y, width, height } of own.flatMap((shape) => (shape.kind === "rect" ? [shape] : []))) {
          expect([x >= 50, y >= 10, x + width <= 250.001, y + height <= 310.001]).toEqual([true, true, true, true]);
          const isCovered = x0 === x1 ? x < x0 && x0 < x + width : y < y0 && y0 < y + height;
          expect(isCovered).toBe(false);
        }
      }
    }),
  );
});

test("texts of notes at near moments do not cover each other", () => {
  const box = { left: 50, top: 10, width: 600, height: 300, low: 0, high: 10 };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 6 }), (percents) => {
      const notes = percents.map((percent) => ({
        atMs: START_MS + (percent / 100) * DAY_MS,
        text: "receiver changed",
      }));
      const given = { thresholds: [{ key: "ztd", value: 9.9, text: "Warning" }], notes };
      const shapes = annotationShapes(given, box, RANGE, LOOK);
      const grounds = shapes.flatMap((shape) => (shape.kind === "rect" ? [shape] : []));
      const isFree = grounds.every((a, i) =>
        grounds.every(
          (b, j) =>
            i === j ||
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + 15 <= b.y + 0.001 ||
            b.y + 15 <= a.y + 0.001,
        ),
      );
      expect(isFree).toBe(true);
    }),
  );
});

test("a threshold at the same value replaces the earlier one, and a note exists once", () => {
  const [old, other, renamed] = [
    { key: "ztd", value: 1, text: "old" },
    { key: "ztd", value: 2, text: "other" },
    { key: "ztd", value: 1, text: "new" },
  ] as const;
  const note = { atMs: START_MS, text: "front" };
  let all: Annotations = { thresholds: [], notes: [note] };
  for (const threshold of [old, other, renamed]) all = withThreshold(all, threshold);
  expect(withNote(all, { ...note })).toEqual({ thresholds: [other, renamed], notes: [note] });
});
