import { describe, expect, it } from "vitest";
import { MARKS, type MarkSettings } from "#shared/bridge/methods/compare.ts";
import { countMarks, markValues } from "#main/analysis/compare/marks.ts";
import { unmarked } from "#main/app/reading/compare/series.ts";

const OFF: MarkSettings = { range: null, sigmaMm: null, step: null, stuckMinutes: null };
const MINUTE_MS = 60_000;
const times = (...minutes: number[]): Float64Array => Float64Array.from(minutes, (m) => m * MINUTE_MS);
/** The marks of each value; null if none has one. */
const mark = (timesMs: Float64Array, values: number[], settings: Partial<MarkSettings>, sigma?: number[]) => {
  const flags = markValues(timesMs, Float64Array.from(values), sigma ? Float64Array.from(sigma) : null, {
    ...OFF,
    ...settings,
  });
  if (flags === null) return null;
  return Array.from(flags, (_, i) => {
    const { counts } = countMarks(flags.subarray(i, i + 1));
    return MARKS.filter((kind) => counts[kind] > 0).join(" ");
  });
};

describe("marks", () => {
  it("are null if all are off", () => {
    expect(mark(times(0, 1, 2), [1e9, 1e9, 1e9], {}, [99, 99, 99])).toBeNull();
  });

  it("flag values outside the range, but not on its limits", () => {
    expect(mark(times(0, 1, 2, 3), [9.9, 10, 20, 20.1], { range: { min: 10, max: 20 } })).toEqual([
      "range",
      "",
      "",
      "range",
    ]);
  });

  it("flag a formal uncertainty above the limit, but not an unknown one", () => {
    expect(mark(times(0, 1, 2), [1, 2, 3], { sigmaMm: 5 }, [5, 5.1, Number.NaN])).toEqual(["", "sigma", ""]);
    expect(mark(times(0, 1, 2), [1, 2, 3], { sigmaMm: 5 })).toBeNull();
  });

  it("flag values after a step across a gap until they settle, but no step without a gap", () => {
    const step = { gapMinutes: 60, stepMm: 10, settleMinutes: 2 };
    expect(mark(times(0, 60, 61, 62), [0, 11, 11, 11], { step })).toEqual(["", "step", "step", ""]);
    expect(mark(times(0, 60, 61), [0, 10, 30], { step })).toBeNull();
    expect(mark(times(0, 59, 61), [0, 30, 30], { step })).toBeNull();
    expect(mark(times(0, 60, 61), [0, -11, 0], { step: { ...step, settleMinutes: 0 } })).toEqual(["", "step", ""]);
  });

  it("flag a value that stays constant for the given time", () => {
    expect(mark(times(0, 1, 31, 61, 62), [1, 5, 5, 5, 6], { stuckMinutes: 60 })).toEqual([
      "",
      "stuck",
      "stuck",
      "stuck",
      "",
    ]);
    expect(mark(times(0, 1, 31, 60, 62), [1, 5, 5, 5, 6], { stuckMinutes: 60 })).toBeNull();
    // Two equal values with a gap of hours between them are plausible.
    expect(mark(times(0, 600, 601), [5, 5, 6], { stuckMinutes: 60 })).toBeNull();
  });

  it("are counted by kind, and a value with two marks is one marked value", () => {
    const settings = { ...OFF, range: { min: 0, max: 20 }, stuckMinutes: 60 };
    const flags = markValues(times(0, 1, 31, 61, 62), Float64Array.of(-1, 25, 25, 25, 3), null, settings);
    expect(countMarks(flags)).toEqual({ counts: { range: 4, sigma: 0, step: 0, stuck: 3 }, marked: 4 });
    expect(countMarks(null).marked).toBe(0);
  });

  it("exclude values only on request", () => {
    const series = {
      stationId: "s",
      cadenceMs: MINUTE_MS,
      timesMs: times(0, 1, 2),
      values: Float64Array.of(1, 2, 3),
      sigma: Float64Array.of(4, 5, 6),
      flags: markValues(times(0, 1, 2), Float64Array.of(1, 2, 1), null, { ...OFF, range: { min: 0, max: 1 } }),
    };
    expect(unmarked(series, false)).toMatchObject({ values: series.values, rejected: 0 });
    expect(unmarked(series, true)).toEqual({
      timesMs: times(0, 2),
      values: Float64Array.of(1, 3),
      sigma: Float64Array.of(4, 6),
      rejected: 1,
    });
  });
});
