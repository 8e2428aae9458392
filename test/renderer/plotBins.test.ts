import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { VariableColumns } from "#shared/series/rows.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { binTrack, createBins, isBroken } from "#shared/plot/bins.ts";
import { nearestRow, readTrack } from "#renderer/plot/readout.ts";
import { estimateStepMs, type Track } from "#shared/plot/track.ts";

const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 30_000;

type Rows = Extract<Track, { kind: "rows" }>;
type Columns = Extract<Track, { kind: "columns" }>;

/** Rows on a grid of 30 s, some left out, some without a value. */
const rowTracks: fc.Arbitrary<Rows> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.oneof(fc.double({ min: -1e4, max: 1e4 }), fc.constant(NaN))), {
    minLength: 1,
    maxLength: 400,
  })
  .map((rows) => {
    let timeMs = START_MS;
    const timesMs = Float64Array.from(rows, ([steps]) => (timeMs += steps * STEP_MS));
    const values = Float64Array.from(rows, ([, value]) => value);
    const range = { startMs: START_MS, endMs: timeMs + 1 };
    return { kind: "rows", range, stepMs: STEP_MS, timesMs, values, sigma: null };
  });

const columnTracks: fc.Arbitrary<Columns> = fc
  .array(
    fc.tuple(
      fc.nat({ max: 5 }),
      fc.double({ min: -1e3, max: 1e3, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
    ),
    {
      minLength: 1,
      maxLength: 400,
    },
  )
  .map((columns) => {
    const of = (pick: (mean: number, spread: number) => number): Float64Array =>
      Float64Array.from(columns, ([n, mean, spread]) => (n === 0 ? NaN : pick(mean, spread)));
    const data: VariableColumns = {
      count: Uint32Array.from(columns, ([n]) => n),
      min: of((mean, spread) => mean - spread),
      max: of((mean, spread) => mean + spread),
      mean: of((mean) => mean),
    };
    const range = { startMs: START_MS, endMs: START_MS + columns.length * 10 * STEP_MS };
    return { kind: "columns", range, stepMs: STEP_MS, data, sigma: null };
  });

const widths = fc.integer({ min: 2, max: 600 });

function valuesOf(array: Float64Array, n: number): number[] {
  // Plots do not distinguish negative zero.
  return Array.from(array.subarray(0, n), (value) => value + 0);
}

describe("bins of a plotted track", () => {
  test("preserve the count, extremes and mean of rows at any density", () => {
    fc.assert(
      fc.property(rowTracks, widths, (track, width) => {
        const bins = createBins();
        binTrack(track, track.range, width, bins);
        const values = [...track.values].filter((v) => !Number.isNaN(v));
        const count = valuesOf(bins.count, bins.n).reduce((a, b) => a + b, 0);
        expect(count).toBe(values.length);
        if (values.length === 0) return;
        expect(Math.min(...valuesOf(bins.min, bins.n))).toBe(Math.min(...values) + 0);
        expect(Math.max(...valuesOf(bins.max, bins.n))).toBe(Math.max(...values) + 0);
        const sum = valuesOf(bins.mean, bins.n).reduce((total, mean, i) => total + mean * bins.count[i]!, 0);
        expect(sum).toBeCloseTo(
          values.reduce((a, b) => a + b, 0),
          4,
        );
        expect([bins.low + 0, bins.high + 0]).toEqual([Math.min(...values) + 0, Math.max(...values) + 0]);
      }),
    );
  });

  test("preserve the count and extremes of columns finer and coarser than a pixel", () => {
    fc.assert(
      fc.property(columnTracks, widths, (track, width) => {
        const bins = createBins();
        binTrack(track, track.range, width, bins);
        const { count, min, max } = track.data;
        const filled = [...count.keys()].filter((c) => count[c]! > 0);
        expect(valuesOf(bins.count, bins.n).reduce((a, b) => a + b, 0)).toBe(filled.reduce((n, c) => n + count[c]!, 0));
        if (filled.length === 0) return;
        expect(Math.min(...valuesOf(bins.min, bins.n))).toBe(Math.min(...filled.map((c) => min[c]!)) + 0);
        expect(Math.max(...valuesOf(bins.max, bins.n))).toBe(Math.max(...filled.map((c) => max[c]!)) + 0);
      }),
    );
  });

  test("are ordered, at most one per pixel in dense data, and equal in reused arrays", () => {
    const used = createBins();
    fc.assert(
      fc.property(
        fc.oneof(rowTracks, columnTracks),
        widths,
        fc.double({ min: 0, max: 0.6, noNaN: true }),
        (track, width, from) => {
          const span = track.range.endMs - track.range.startMs;
          const view = { startMs: track.range.startMs + from * span, endMs: track.range.endMs + from * DAY_MS };
          const fresh = createBins();
          binTrack(track, view, width, fresh);
          binTrack(track, view, width, used);
          const x = valuesOf(fresh.x, fresh.n);
          expect(x.every((place, i) => i === 0 || place > x[i - 1]!)).toBe(true);
          expect(valuesOf(used.x, used.n)).toEqual(x);
          expect(valuesOf(used.mean, used.n)).toEqual(valuesOf(fresh.mean, fresh.n));
          const isDense = !fresh.isExact && fresh.half[0] === 0.5;
          expect(isDense ? fresh.n : 0).toBeLessThanOrEqual(width + 4);
        },
      ),
    );
  });

  test("do not draw a value before a gap at the start of the view, nor count it for the value axis", () => {
    const timesMs = Float64Array.from({ length: 2_001 }, (_, i) => START_MS + (i === 0 ? 0 : DAY_MS + i * STEP_MS));
    const values = Float64Array.from(timesMs, (_, i) => (i === 0 ? 9_999 : 2_400));
    const range = { startMs: START_MS, endMs: START_MS + 2 * DAY_MS };
    const track: Track = { kind: "rows", range, stepMs: STEP_MS, timesMs, values, sigma: null };
    const bins = createBins();
    binTrack(track, { startMs: START_MS + DAY_MS / 2, endMs: range.endMs }, 100, bins);
    expect([bins.isExact, bins.low, bins.high]).toEqual([false, 2_400, 2_400]);
    expect(valuesOf(bins.x, bins.n).filter((_, i) => bins.mean[i] === 9_999)).toEqual([expect.closeTo(-33, -1)]);
  });
});

/** Columns of this width with these numbers of equal values, in bins. */
function binsOf(count: Uint32Array, columnMs: number, pixels: number) {
  const range = { startMs: START_MS, endMs: START_MS + count.length * columnMs };
  const same = new Float64Array(count.length).fill(1);
  const data = { count, min: same, max: same, mean: same };
  const bins = createBins();
  binTrack({ kind: "columns", range, stepMs: STEP_MS, data, sigma: null }, range, pixels, bins);
  return bins;
}

describe("gaps of a plotted line", () => {
  test("are between values more than 1.5 steps apart, with or without rows in between", () => {
    fc.assert(
      fc.property(rowTracks, (track) => {
        const bins = createBins();
        binTrack(track, track.range, 10_000, bins);
        const times = [...track.timesMs].filter((_, i) => !Number.isNaN(track.values[i]!));
        const broken = times.map((t, i) => i === 0 || t - times[i - 1]! > 1.5 * STEP_MS);
        expect(times.map((_, i) => isBroken(bins, i, STEP_MS))).toEqual(broken);
      }),
    );
  });

  test("are not between complete columns narrower than the step", () => {
    const count = new Uint32Array(300).fill(1);
    // Columns of 0.7 steps: about every third is empty although no data is missing.
    for (let c = 0; c < 300; c++) {
      const startMs = c * 0.7 * STEP_MS;
      if (Math.ceil(startMs / STEP_MS) * STEP_MS >= startMs + 0.7 * STEP_MS) count[c] = 0;
    }
    const bins = binsOf(count, 0.7 * STEP_MS, 1_000);
    expect(count.includes(0)).toBe(true);
    expect(Array.from({ length: bins.n - 1 }, (_, i) => isBroken(bins, i + 1, STEP_MS))).not.toContain(true);
  });

  test("are at empty columns wider than the step", () => {
    const bins = binsOf(Uint32Array.of(9, 9, 0, 9), 10 * STEP_MS, 400);
    expect([0, 1, 2].map((i) => isBroken(bins, i, STEP_MS))).toEqual([true, false, true]);
  });
});

describe("the readout of a plot", () => {
  test("is the nearest row with a value, or empty if there is none within a step", () => {
    fc.assert(
      fc.property(rowTracks, fc.double({ min: -0.1, max: 1.1, noNaN: true }), (track, share) => {
        const momentMs = track.range.startMs + share * (track.range.endMs - track.range.startMs);
        const found = nearestRow(track, momentMs, STEP_MS);
        const distances = [...track.timesMs].map((t, i) =>
          Number.isNaN(track.values[i]!) ? Infinity : Math.abs(t - momentMs),
        );
        const least = Math.min(...distances);
        expect(found === null ? Infinity : Math.abs(found.timeMs - momentMs)).toBe(least > STEP_MS ? Infinity : least);
        expect(found?.value).toBe(found ? track.values[track.timesMs.indexOf(found.timeMs)] : undefined);
      }),
    );
  });

  test("has the count, minimum, maximum and mean of a column", () => {
    const data = {
      count: Uint32Array.of(4, 0),
      min: Float64Array.of(1, NaN),
      max: Float64Array.of(3, NaN),
      mean: Float64Array.of(2, NaN),
    };
    const track: Track = { kind: "columns", range: { startMs: 0, endMs: 200_000 }, stepMs: STEP_MS, data, sigma: null };
    expect(readTrack(track, 50_000)).toMatchObject({ kind: "column", count: 4, min: 1, max: 3, mean: 2 });
    expect(readTrack(track, 110_000)).toMatchObject({ count: 4 });
    expect(readTrack(track, 199_000)).toBeNull();
    const far: Track = { ...track, range: { startMs: 0, endMs: 20_000_000 } };
    expect(readTrack(far, 19_000_000)).toBeNull();
  });
});

test("the step of a track is estimated from the most frequent distance", () => {
  const timesMs = Float64Array.from({ length: 100 }, (_, i) => START_MS + i * STEP_MS + (i > 50 ? DAY_MS : 0));
  const sparse = Float64Array.from({ length: 100 }, (_, i) => (i % 10 === 0 ? 1 : NaN));
  expect(estimateStepMs(timesMs, timesMs, "ztd")).toBe(STEP_MS);
  expect(estimateStepMs(timesMs, sparse, "pwv")).toBe(10 * STEP_MS);
  expect(estimateStepMs(timesMs, new Float64Array(100).fill(NaN), "pwv")).toBe(300_000);
});
