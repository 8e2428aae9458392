import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  appendMoments,
  commonStepMs,
  countFrom,
  emptyRuns,
  expandRuns,
  pushRunIn,
  unionRuns,
  type Runs,
} from "#shared/time/runs.ts";
import { gateCases } from "../support/endurance.ts";

/** Moments made of stretches with different steps and phases, so that grids coincide, cross and interleave. */
const moments = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 300 }),
      step: fc.constantFrom(1, 2, 3, 5, 6, 30),
      count: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 6 },
  )
  .map((stretches) =>
    [...new Set(stretches.flatMap((s) => Array.from({ length: s.count }, (_, i) => s.from + i * s.step)))].toSorted(
      (a, b) => a - b,
    ),
  );

function runsOf(times: readonly number[], blockSize = 7): Runs {
  const runs = emptyRuns();
  for (let i = 0; i < times.length; i += blockSize)
    appendMoments(runs, Float64Array.from(times.slice(i, i + blockSize)));
  return runs;
}

function momentsOf(runs: Runs): number[] {
  const found: number[] = [];
  for (const block of expandRuns(runs, 11)) found.push(...block);
  return found;
}

describe("runs of moments", () => {
  it("are cut to a range and counted from a moment on", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: -5, max: 500 }), fc.nat(400), (times, startMs, length) => {
        const whole = runsOf(times);
        const cut = emptyRuns();
        const range = { startMs, endMs: startMs + length };
        for (const run of whole.list) pushRunIn(cut, range, run);
        expect(momentsOf(cut)).toEqual(times.filter((t) => t >= startMs && t < range.endMs));
        expect(countFrom(whole, startMs)).toBe(times.filter((t) => t >= startMs).length);
      }),
    );
  });

  it("round-trip exactly, for any block size", () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 50 }), (times, blockSize) => {
        const runs = runsOf(times, blockSize);
        expect(momentsOf(runs)).toEqual(times);
        expect(runs.total).toBe(times.length);
      }),
    );
  });

  it("unite as sets do", () => {
    fc.assert(
      fc.property(moments, moments, moments, (a, b, c) => {
        const two = unionRuns(runsOf(a), runsOf(b), 1e9)!;
        const three = unionRuns(two, runsOf(c), 1e9)!;
        expect(momentsOf(three)).toEqual([...new Set([...a, ...b, ...c])].toSorted((x, y) => x - y));
        expect(three.total).toBe(momentsOf(three).length);
      }),
      { numRuns: gateCases(500) },
    );
  });

  it("stay few for a year of epochs with gaps, and for two cadences combined", () => {
    const year = Array.from({ length: 100_000 }, (_, i) => i * 30).filter((_, i) => i % 9_000 > 40);
    const runs = runsOf(year, 2_880);
    expect(runs.list.length).toBe(12);
    const seconds = runsOf(Array.from({ length: 90_000 }, (_, i) => i));
    expect(unionRuns(runs, seconds, 100)!.list.length).toBeLessThan(15);
  });

  it("are not united if the moments are too irregular", () => {
    const squares = Array.from({ length: 200 }, (_, i) => i * i);
    expect(unionRuns(runsOf(squares), runsOf([]), 50)).toBeNull();
  });

  it("reject moments out of order", () => {
    expect(appendMoments(emptyRuns(), Float64Array.of(5, 5))).toBe(false);
    expect(appendMoments(emptyRuns(), Float64Array.of(0, 30, 60, 30))).toBe(false);
    expect(appendMoments(emptyRuns(), Float64Array.of(Number.NaN, 1))).toBe(false);
  });

  it("have the most common step, or null for a single moment", () => {
    expect(commonStepMs(runsOf([0, 30, 60, 90, 500, 501]))).toBe(30);
    expect(commonStepMs(runsOf([7]))).toBeNull();
  });
});
