import type { Lag } from "#shared/bridge/compare.ts";
import { correlationOf } from "./figures.ts";
import { meansOf } from "./means.ts";
import type { ComparedSeries } from "./series.ts";

/** Furthest shift that is looked at, both ways. */
export const LAG_HOURS = 6;
/** Finest grid: lags of the weather are minutes to hours. */
const GRID_MS = 300_000;
/** A correlation of fewer pairs, or of less than this share of those there are without a shift, says nothing. */
const LEAST_PAIRS = 36;
const LEAST_SHARE = 0.5;

/**
 * Where the correlation of A and of B shifted is largest, on a regular grid of means, up to six hours both ways; the
 * shorter shift where two are equal. null where there are too few common means, or one series does not move.
 *
 * @param leavesOut whether means with a marked value are left out
 */
export function findLag(a: ComparedSeries, b: ComparedSeries, leavesOut: boolean): Lag | null {
  const gridMs = Math.max(GRID_MS, a.stepMs, b.stepMs);
  const [first, second] = gridded(meansOf(a, gridMs), meansOf(b, gridMs), gridMs, leavesOut);
  if (!first || !second) return null;
  const most = Math.floor((LAG_HOURS * 3_600_000) / gridMs);
  const least = Math.max(LEAST_PAIRS, LEAST_SHARE * shifted(first, second, 0).n);
  let best: Lag | null = null;
  for (let step = 0; step <= most; step++) {
    for (const shift of step === 0 ? [0] : [-step, step]) {
      const { n, correlation } = shifted(first, second, shift);
      if (n < least || Number.isNaN(correlation) || (best && correlation <= best.correlation)) continue;
      best = { seconds: (shift * gridMs) / 1000, correlation, n, gridSeconds: gridMs / 1000 };
    }
  }
  return best;
}

interface Gridded {
  /** Less their mean; 0 where there is none. */
  readonly values: Float64Array;
  /** 1 where there is a mean. */
  readonly has: Float64Array;
}

function gridded(a: ComparedSeries, b: ComparedSeries, gridMs: number, leavesOut: boolean): (Gridded | null)[] {
  const firstMs = Math.min(a.timesMs[0] ?? Infinity, b.timesMs[0] ?? Infinity);
  const lastMs = Math.max(a.timesMs.at(-1) ?? -Infinity, b.timesMs.at(-1) ?? -Infinity);
  const size = Math.round((lastMs - firstMs) / gridMs) + 1;
  return [a, b].map(({ timesMs, values, flags }) => {
    if (timesMs.length === 0) return null;
    const counts = (i: number): boolean => !leavesOut || flags === null || flags[i] === 0;
    let sum = 0;
    let n = 0;
    for (let i = 0; i < values.length; i++) {
      if (!counts(i)) continue;
      sum += values[i]!;
      n++;
    }
    const grid = { values: new Float64Array(size), has: new Float64Array(size) };
    for (let i = 0; i < values.length; i++) {
      if (!counts(i)) continue;
      const at = Math.round((timesMs[i]! - firstMs) / gridMs);
      grid.values[at] = values[i]! - sum / n;
      grid.has[at] = 1;
    }
    return grid;
  });
}

/** Correlation of A with what B shows `shift` places later, of the places where both have a mean. */
function shifted(a: Gridded, b: Gridded, shift: number): { readonly n: number; readonly correlation: number } {
  const from = Math.max(0, -shift);
  const to = Math.min(a.values.length, b.values.length - shift);
  let [n, sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const both = a.has[i]! * b.has[i + shift]!;
    const va = a.values[i]! * both;
    const vb = b.values[i + shift]! * both;
    n += both;
    sumA += va;
    sumB += vb;
    squaresA += va * va;
    squaresB += vb * vb;
    products += va * vb;
  }
  if (n < 2) return { n, correlation: Number.NaN };
  const correlation = correlationOf(
    products - (sumA * sumB) / n,
    Math.max(0, squaresA - (sumA * sumA) / n),
    Math.max(0, squaresB - (sumB * sumB) / n),
  );
  return { n, correlation };
}
