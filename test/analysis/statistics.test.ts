import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pixelColumn, decimate } from "#main/analysis/decimate.ts";
import { percentilesOf } from "#main/analysis/sorting.ts";
import { StatisticsCollector } from "#main/analysis/statistics.ts";
import type { ScalarColumn } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { rows, scalarColumn } from "./series.ts";
import { gateCases } from "../support/endurance.ts";

const RANGE = { startMs: -15_000_000, endMs: 10_000_000 };

/** The statistics of a column that is added in two blocks, of which the first may be empty. */
function statistics(timesMs: Float64Array, column: ScalarColumn, range: TimeRange, cut = 0) {
  const collector = new StatisticsCollector(range);
  const part = (from: number, to?: number) =>
    collector.add(timesMs.subarray(from, to), {
      kind: "scalar",
      values: column.values.subarray(from, to),
      present: column.present?.subarray(from, to) ?? null,
    });
  part(0, cut);
  part(cut);
  return collector.finish();
}

function isClose(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) < 1e-6;
}

const of = (values: number[]) =>
  statistics(
    Float64Array.from(values, (_, i) => i * 30_000),
    scalarColumn(values),
    { startMs: 0, endMs: values.length * 30_000 },
  );

describe("statistics", () => {
  it("match their definitions", () => {
    fc.assert(
      fc.property(rows, fc.nat(80), (all, cut) => {
        const times = Float64Array.from(all, (r) => r.timeMs);
        const found = statistics(times, scalarColumn(all.map((r) => r.ztd)), RANGE, cut);
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
      { numRuns: gateCases(500) },
    );
  });

  it("find the percentiles of the sorted values", () => {
    const numbers = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: true })), { minLength: 1 });
    fc.assert(
      fc.property(numbers, (values) => {
        const ranks = values.map((_, i) => (values.length === 1 ? 0 : i / (values.length - 1)));
        const exact = ranks.filter((share) => Number.isInteger(share * (values.length - 1)));
        const sorted = Float64Array.from(values).toSorted();
        const found = exact.map(percentilesOf(Float64Array.from(values))).map((v) => v + 0);
        expect(found).toEqual(exact.map((share) => sorted[share * (values.length - 1)]! + 0));
      }),
    );
  });

  it("estimate the percentiles of many values from an even sample", () => {
    const collector = new StatisticsCollector({ startMs: 0, endMs: 10_000 }, 100);
    for (let at = 0; at < 10_000; at += 7) {
      const times = Float64Array.from({ length: Math.min(7, 10_000 - at) }, (_, i) => at + i);
      collector.add(times, { kind: "scalar", values: times, present: null });
    }
    const found = collector.finish();
    expect(found).toMatchObject({ n: 10_000, min: 0, max: 9_999 });
    expect(Math.abs(found.p50 - 5_000)).toBeLessThan(200);
    expect(Math.abs(found.p95 - 9_500)).toBeLessThan(200);
  });

  it("interpolate percentiles between ranks as numpy does", () => {
    expect(of([1, 2, 3, 4])).toMatchObject({ p5: 1.15, p50: 2.5, p95: 3.8499999999999996 });
    expect(of([7])).toMatchObject({ p5: 7, p50: 7, p95: 7, std: Number.NaN });
  });

  it("keep their precision with a large offset", () => {
    const small = [0.1, 0.2, 0.4, 0.3, 0.25];
    expect(of(small.map((v) => v + 1e9)).std).toBeCloseTo(of(small).std, 6);
  });
});

describe("decimate", () => {
  it("returns the minimum, maximum, mean and count of each column", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (all, columns) => {
        const times = Float64Array.from(all, (r) => r.timeMs);
        const ztd = Float64Array.from(all, (r) => r.ztd ?? Number.NaN);
        const found = decimate(times, ztd, RANGE, columns);
        for (let c = 0; c < columns; c++) {
          const values = all
            .filter((r) => r.timeMs >= RANGE.startMs && r.timeMs < RANGE.endMs)
            .filter((r) => pixelColumn(r.timeMs, RANGE, columns) === c)
            .map((r) => r.ztd)
            .filter((v): v is number => v !== undefined && !Number.isNaN(v));
          const isAny = values.length > 0;
          expect(found.count[c]).toBe(values.length);
          // Adding 0 turns −0 into 0.
          expect(found.min[c]! + 0).toBe(isAny ? Math.min(...values) + 0 : Number.NaN);
          expect(found.max[c]! + 0).toBe(isAny ? Math.max(...values) + 0 : Number.NaN);
          expect(found.mean[c]).toBe(isAny ? values.reduce((a, b) => a + b, 0) / values.length : Number.NaN);
        }
      }),
      { numRuns: gateCases(300) },
    );
  });

  it("assigns every moment of a range to one column, in order", () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 4_000 }), (offset, columns) => {
        const c = pixelColumn(RANGE.startMs + offset, RANGE, columns);
        expect(c >= 0 && c < columns && c <= pixelColumn(RANGE.startMs + offset + 1, RANGE, columns)).toBe(true);
      }),
    );
  });
});
