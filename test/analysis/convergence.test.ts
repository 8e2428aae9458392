import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { possibleConvergence } from "#main/analysis/convergence.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";

const START_MS = Date.UTC(2026, 0, 10);
const STEP_MS = 30_000;
const ROWS = 240;
const SETTLED_MM = 2;

function series(sigmaAt: (minutes: number, row: number) => number) {
  const timesMs = Float64Array.from({ length: ROWS }, (_, i) => START_MS + i * STEP_MS);
  return [timesMs, timesMs.map((t, i) => sigmaAt((t - START_MS) / MINUTE_MS, i)), START_MS] as const;
}

/** Repeatable noise, -1 to 1. */
function noise(row: number, seed: number): number {
  return 2 * ((((Math.sin(row * 12.9898 + seed * 78.233) * 43_758.5453) % 1) + 1) % 1) - 1;
}

function hump(m: number): number {
  return m < 20 ? SETTLED_MM + 3 + 6 * (0.5 + 0.5 * Math.sin((Math.PI * m) / 20)) : SETTLED_MM;
}

describe("a possible convergence", () => {
  it("is found in a noisy decay of any duration to a stable level", () => {
    const minutes = fc.integer({ min: 15, max: 60 });
    const excess = fc.integer({ min: 8, max: 40 });
    fc.assert(
      fc.property(minutes, excess, fc.constantFrom(1, 2, 3), fc.nat(1_000), (length, mm, power, seed) => {
        const found = possibleConvergence(
          ...series((m, row) => SETTLED_MM + mm * Math.max(0, 1 - m / length) ** power + 0.1 * noise(row, seed)),
        );
        expect(found).not.toBeNull();
        expect(found!.range.startMs).toBe(START_MS);
        // The time at which a tenth of the excess remains, in closed form; noise moves it by some rows.
        const settledMinutes = length * (1 - 0.1 ** (1 / power));
        expect(Math.abs((found!.range.endMs - START_MS) / MINUTE_MS - settledMinutes)).toBeLessThan(4);
        expect(found!.toMm).toBeCloseTo(SETTLED_MM, 0);
      }),
    );
  });

  it("is not suggested for a hump, a jump, noise or a slow rise", () => {
    expect(possibleConvergence(...series(hump))).toBeNull();
    expect(possibleConvergence(...series((m) => (m < 20 ? 10 : SETTLED_MM)))).toBeNull();
    expect(possibleConvergence(...series((_, row) => SETTLED_MM + 0.5 * noise(row, 1)))).toBeNull();
    expect(possibleConvergence(...series((m) => SETTLED_MM + m / 60))).toBeNull();
  });

  it("is not suggested for too few rows or a single outlier", () => {
    const [timesMs, sigmaMm] = series((m) => SETTLED_MM + 20 * Math.max(0, 1 - m / 30) ** 3);
    expect(possibleConvergence(timesMs.subarray(0, 10), sigmaMm.subarray(0, 10), START_MS)).toBeNull();
    expect(possibleConvergence(...series((_, row) => (row === 0 ? 50 : SETTLED_MM)))).toBeNull();
    expect(possibleConvergence(new Float64Array(0), new Float64Array(0), START_MS)).toBeNull();
  });
});
