import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnOf, decimate } from "#main/analysis/decimate.ts";
import { statistics } from "#main/analysis/statistics.ts";
import { rows, scalarColumn } from "./series.ts";

const RANGE = { startMs: -15_000_000, endMs: 10_000_000 };

function isClose(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) < 1e-6;
}

const of = (values: number[], seconds = 30) =>
  statistics(
    Float64Array.from(values, (_, i) => i * 30_000),
    scalarColumn(values),
    { startMs: 0, endMs: values.length * 30_000 },
    seconds,
  );

describe("statistics", () => {
  it("are those of the plain definitions", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const times = Float64Array.from(all, (r) => r.timeMs);
        const found = statistics(times, scalarColumn(all.map((r) => r.ztd)), RANGE, 30);
        const values = all
          .filter((r) => r.timeMs >= RANGE.startMs && r.timeMs < RANGE.endMs)
          .map((r) => r.ztd)
          .filter((v): v is number => v !== undefined && !Number.isNaN(v));
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1);
        expect(found.n).toBe(values.length);
        expect(isClose(found.mean, mean)).toBe(true);
        expect(isClose(found.std, values.length < 2 ? Number.NaN : Math.sqrt(variance))).toBe(true);
        expect(found.min).toBe(values.length === 0 ? Number.NaN : Math.min(...values));
        expect(found.max).toBe(values.length === 0 ? Number.NaN : Math.max(...values));
      }),
      { numRuns: 500 },
    );
  });

  it("interpolate percentiles between ranks, as numpy does", () => {
    expect(of([1, 2, 3, 4])).toMatchObject({ p5: 1.15, p50: 2.5, p95: 3.8499999999999996 });
    expect(of([7])).toMatchObject({ p5: 7, p50: 7, p95: 7, std: Number.NaN });
  });

  it("lose no digits to a large offset", () => {
    const small = [0.1, 0.2, 0.4, 0.3, 0.25];
    expect(of(small.map((v) => v + 1e9)).std).toBeCloseTo(of(small).std, 6);
  });

  it("tell the share of the expected epochs", () => {
    expect(of([1, Number.NaN, 3, Number.NaN])).toMatchObject({ n: 2, expected: 4, completeness: 0.5 });
    expect(of([1, Number.NaN, Number.NaN, Number.NaN], 120).completeness).toBe(1);
    expect(of([])).toMatchObject({ n: 0, mean: Number.NaN, completeness: Number.NaN });
  });
});

describe("decimate", () => {
  it("is min, max, mean and count of the values in each column", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (all, columns) => {
        const times = Float64Array.from(all, (r) => r.timeMs);
        const found = decimate(times, scalarColumn(all.map((r) => r.ztd)), RANGE, columns);
        for (let c = 0; c < columns; c++) {
          const values = all
            .filter((r) => r.timeMs >= RANGE.startMs && r.timeMs < RANGE.endMs)
            .filter((r) => columnOf(r.timeMs, RANGE, columns) === c)
            .map((r) => r.ztd)
            .filter((v): v is number => v !== undefined && !Number.isNaN(v));
          const isAny = values.length > 0;
          expect(found.count[c]).toBe(values.length);
          // Adding 0 makes the two zeros one.
          expect(found.min[c]! + 0).toBe(isAny ? Math.min(...values) + 0 : Number.NaN);
          expect(found.max[c]! + 0).toBe(isAny ? Math.max(...values) + 0 : Number.NaN);
          expect(found.mean[c]).toBe(isAny ? values.reduce((a, b) => a + b, 0) / values.length : Number.NaN);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("puts every moment of a range into one column, in order", () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 4_000 }), (offset, columns) => {
        const c = columnOf(RANGE.startMs + offset, RANGE, columns);
        expect(c >= 0 && c < columns && c <= columnOf(RANGE.startMs + offset + 1, RANGE, columns)).toBe(true);
      }),
    );
  });
});
