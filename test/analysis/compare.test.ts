import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxOf, histogram, hourBoxes, ratePerHour, scatterOf } from "#main/analysis/compare/shapes.ts";
import { differenceStatistics } from "#main/analysis/compare/differences.ts";
import { findLag } from "#main/analysis/compare/lag.ts";
import { gridMeans, wholeMeans } from "#main/analysis/compare/means.ts";
import { type ComparedSeries, comparedSeries } from "#main/analysis/compare/series.ts";

const START_MS = Date.UTC(2026, 0, 10);
const HOUR_MS = 3_600_000;

function series(stepSeconds: number, values: readonly number[], options: { startMs?: number; flags?: number[] } = {}) {
  const { startMs = START_MS, flags } = options;
  const timesMs = Float64Array.from(values, (_, i) => startMs + i * stepSeconds * 1000);
  return comparedSeries({ timesMs, values: Float64Array.from(values) }, 0, flags ? Uint8Array.from(flags) : null);
}

const pairs = fc.array(
  fc.tuple(fc.double({ min: -50, max: 50, noNaN: true }), fc.double({ min: -50, max: 50, noNaN: true })),
  { minLength: 2, maxLength: 200 },
);
const offset = fc.double({ min: -3_000, max: 3_000, noNaN: true });
const arrays = (rows: [number, number][], plus = 0): [Float64Array, Float64Array] => [
  Float64Array.from(rows, ([a]) => a + plus),
  Float64Array.from(rows, ([, b]) => b + plus),
];

/** A signal of days, which hourly rows resolve. */
const slow = (minutes: number): number => 20 * Math.sin(minutes / 970) + 7 * Math.sin(minutes / 410 + 1);

const inPhase = (stepSeconds: number, phaseSeconds: number): ComparedSeries =>
  series(
    stepSeconds,
    Array.from({ length: 400 }, (_, i) => 2_400 + slow((i * stepSeconds + phaseSeconds) / 60)),
    { startMs: START_MS + phaseSeconds * 1_000 },
  );

/** Two waves that do not repeat within the range of lags. */
const wave = (minutes: number): number => 20 * Math.sin(minutes / 97) + 7 * Math.sin(minutes / 41 + 1);

const sampled = (delayMinutes: number): ComparedSeries =>
  series(
    300,
    Array.from({ length: 2_000 }, (_, i) => 2_400 + wave(i * 5 - delayMinutes)),
  );

describe("statistics of a difference", () => {
  it("match a hand-calculated example", () => {
    // Differences 1, 2, 3, 6: mean 3, squares about it 4 + 1 + 0 + 9 = 14.
    const found = differenceStatistics(Float64Array.of(11, 13, 13, 18), Float64Array.of(10, 11, 10, 12));
    expect(found.n).toBe(4);
    expect(found.biasMm).toBeCloseTo(3, 12);
    expect(found.stdMm).toBeCloseTo(Math.sqrt(14 / 3), 12);
    expect(found.rmsMm).toBeCloseTo(Math.sqrt(50 / 4), 12);
    // About their means -2.75 -0.75 -0.75 4.25 and -0.75 0.25 -0.75 1.25: products 7.75, squares 26.75 and 2.75.
    expect(found.correlation).toBeCloseTo(7.75 / Math.sqrt(26.75 * 2.75), 12);
  });

  it("do not change if both series are shifted", () => {
    fc.assert(
      fc.property(pairs, offset, (rows, plus) => {
        const [plain, moved] = [differenceStatistics(...arrays(rows)), differenceStatistics(...arrays(rows, plus))];
        expect(moved.biasMm).toBeCloseTo(plain.biasMm, 8);
        expect(moved.stdMm).toBeCloseTo(plain.stdMm, 8);
        expect(moved.rmsMm).toBeCloseTo(plain.rmsMm, 8);
      }),
    );
  });

  it("are NaN for too few values or a constant series", () => {
    expect(differenceStatistics(new Float64Array(0), new Float64Array(0))).toMatchObject({ n: 0, biasMm: Number.NaN });
    expect(differenceStatistics(Float64Array.of(3), Float64Array.of(1))).toMatchObject({
      biasMm: 2,
      rmsMm: 2,
      stdMm: Number.NaN,
    });
    expect(differenceStatistics(Float64Array.of(3, 3), Float64Array.of(1, 2)).correlation).toBeNaN();
  });
});

describe("common epochs", () => {
  it("of whole intervals are those of the complete series, over any range and for any part of the series", () => {
    const whole = series(
      30,
      Array.from({ length: 200 }, (_, i) => wave(i * 7)),
    );
    const expected = gridMeans(whole, 300_000);
    const bound = fc.integer({ min: -20, max: 220 });
    fc.assert(
      fc.property(bound, bound, fc.nat(60), fc.nat(60), (x, y, late, early) => {
        const range = { startMs: START_MS + Math.min(x, y) * 30_000, endMs: START_MS + Math.max(x, y) * 30_000 };
        const isKept = (_: number, i: number): boolean => i >= late && i < 200 - early;
        const part = { ...whole, timesMs: whole.timesMs.filter(isKept), values: whole.values.filter(isKept) };
        const means = wholeMeans(gridMeans(part, 300_000), 300_000, range);
        const indices = [...means.timesMs].map((t) => expected.timesMs.indexOf(t));
        expect([...means.values]).toEqual(indices.map((i) => expected.values[i]));
        const from = Math.max(range.startMs, part.timesMs[0]!);
        const to = Math.min(range.endMs, part.timesMs.at(-1)! + 30_000);
        expect(indices).toHaveLength(Math.max(0, Math.floor(to / 300_000) - Math.ceil(from / 300_000)));
      }),
    );
  });

  it("of means are at whole steps of UTC, also before 1970", () => {
    const means = gridMeans(series(30, [1, 3, 10, 20], { startMs: -60_000, flags: [0, 0, 0, 4] }), 60_000);
    expect([...means.timesMs]).toEqual([-60_000, 0]);
    expect([...means.values]).toEqual([2, 15]);
    expect([...means.flags!]).toEqual([0, 4]);
    expect(gridMeans(series(30, []), 60_000).values).toHaveLength(0);
  });
});

describe("the lag", () => {
  it("is found between a series and its shifted copy", () => {
    for (const delay of [0, 35, -120, 355]) {
      const lag = findLag(sampled(0), sampled(delay))!;
      expect(lag.seconds).toBe(delay * 60);
      expect(lag.correlation).toBeCloseTo(1, 6);
      expect(lag).toMatchObject({ gridSeconds: 300, n: 2_000 - Math.abs(delay) / 5 });
      expect(findLag(sampled(delay), sampled(0))!.seconds).toBe(delay === 0 ? 0 : -delay * 60);
    }
  });

  it("is zero between a series and a finer one of the same delay, whose epochs are off its own", () => {
    const coarse = series(
      900,
      Array.from({ length: 600 }, (_, i) => 2_400 + wave(i * 15)),
    );
    for (const offsetMs of [-15_000, 0, 15_000]) {
      const fine = series(
        30,
        Array.from({ length: 18_000 }, (_, i) => 1_900 + wave(i / 2 + offsetMs / 60_000)),
        { startMs: START_MS + offsetMs },
      );
      expect([findLag(coarse, fine)!.seconds, findLag(fine, coarse)!.seconds]).toEqual([0, 0]);
    }
  });

  it("is zero between two series of one signal whose epochs are out of phase", () => {
    for (const stepSeconds of [240, 900, 3_600])
      for (const phase of [0.2, 0.5, 0.99]) {
        const [one, other] = [inPhase(stepSeconds, 0), inPhase(stepSeconds, phase * stepSeconds)];
        const [there, back] = [findLag(one, other)!, findLag(other, one)!];
        expect([there.seconds, back.seconds]).toEqual([0, 0]);
        expect(there.correlation).toBeGreaterThan(0.99);
      }
  });

  it("is null for too few values or a constant series", () => {
    expect(findLag(series(300, [1, 2, 3]), series(300, [1, 2, 3]))).toBeNull();
    const still = series(
      300,
      Array.from({ length: 500 }, () => 2_400),
    );
    expect(findLag(still, sampled(0))).toBeNull();
    expect(findLag(series(300, []), sampled(0))).toBeNull();
  });
});

describe("rates", () => {
  it("are the slope per hour of a straight line, and NaN if too little of the window has values", () => {
    const line = series(
      300,
      Array.from({ length: 50 }, (_, i) => 20 + (i * 300 * 0.7) / 3_600),
    );
    for (const rate of ratePerHour(line.timesMs, line.values, HOUR_MS)) expect(rate).toBeCloseTo(0.7, 9);
    // Two values are too few, and so are values at one end of the window.
    expect([...ratePerHour(line.timesMs.subarray(0, 2), line.values.subarray(0, 2), HOUR_MS)]).toEqual([NaN, NaN]);
    expect(ratePerHour(line.timesMs.subarray(0, 5), line.values.subarray(0, 5), 6 * HOUR_MS).every(Number.isNaN)).toBe(
      true,
    );
  });

  it("of a parabola are its derivative at the centre of the window", () => {
    const curve = series(
      300,
      Array.from({ length: 60 }, (_, i) => 30 + (i / 12) ** 2),
    );
    const rates = ratePerHour(curve.timesMs, curve.values, HOUR_MS);
    for (let i = 6; i < 54; i++) expect(rates[i]).toBeCloseTo((2 * i) / 12, 9);
  });
});

describe("box plots, histograms and scatter plots", () => {
  it("group values into one box per UTC hour", () => {
    const times = Float64Array.from({ length: 48 }, (_, i) => START_MS - 24 * HOUR_MS + i * HOUR_MS);
    const hours = hourBoxes(
      times,
      Float64Array.from({ length: 48 }, (_, i) => (i % 24) + (i < 24 ? -1 : 1)),
    );
    expect(hours).toHaveLength(24);
    hours.forEach((box, hour) => expect([box.n, box.p50]).toEqual([2, hour]));
    expect(boxOf(Float64Array.from({ length: 101 }, (_, i) => 100 - i))).toEqual({
      n: 101,
      p5: 5,
      p25: 25,
      p50: 50,
      p75: 75,
      p95: 95,
    });
  });

  it("count every value once", () => {
    expect([...histogram(Float64Array.of(0, 0.24, 0.25, 9, NaN, Infinity), 0.25, 3)]).toEqual([2, 1, 2]);
    // Values of one decimal, two of which belong to each bin.
    const steps = Float64Array.from({ length: 200 }, (_, i) => i / 10);
    expect(new Set(histogram(steps, 0.2, 100))).toEqual(new Set([2]));
    const a = Float64Array.from({ length: 10_000 }, (_, i) => i);
    const found = scatterOf("a", "b", a, a);
    if (found.kind !== "density") throw new Error("a density was expected");
    expect(found.counts.reduce((sum, n) => sum + n, 0)).toBe(10_000);
    // On the diagonal alone.
    found.counts.forEach((n, i) => expect(n > 0).toBe(i % (found.cells + 1) === 0));
    expect(scatterOf("a", "b", a.subarray(0, 10), a.subarray(0, 10)).kind).toBe("points");
  });
});
