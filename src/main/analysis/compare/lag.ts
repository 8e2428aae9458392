import type { Lag } from "#shared/bridge/methods/compare.ts";
import { correlationOf } from "./differences.ts";
import { type Batch, type ComparedSeries, inBatches, interpolatedAt, STEPS_ACROSS } from "./series.ts";
import { gridMeans } from "./means.ts";

/** Maximum shift in both directions. */
export const LAG_HOURS = 6;
/** Finest grid: lags of weather are minutes to hours. */
const GRID_MS = 300_000;
/** A correlation of fewer pairs, or of less than this fraction of the pairs without a shift, is not significant. */
const MIN_PAIRS = 36;
const MIN_FRACTION = 0.5;

/**
 * Finds the shift of B with the largest correlation with A, on a regular grid of means, up to six hours in both directions;
 * the shorter shift if two are equal. Null if there are too few common means, or if one series is constant. Flagged means
 * are left out.
 */
export function findLag(a: ComparedSeries, b: ComparedSeries): Lag | null {
  const gridMs = Math.max(GRID_MS, Math.round(Math.max(a.stepMs, b.stepMs) / 1_000) * 1_000);
  if (gridMs === Infinity) return null;
  const [gridA, gridB] = onCommonGrid(a, b, gridMs);
  const [first, second] = gridded(gridA, gridB, gridMs);
  if (!first || !second) return null;
  const maxShift = Math.floor((LAG_HOURS * 3_600_000) / gridMs);
  const products = productsOf(first.values, second.values, maxShift);
  const at = (shift: number) => shifted(first, second, shift, products[maxShift + shift]!);
  const least = Math.max(MIN_PAIRS, MIN_FRACTION * at(0).n);
  let best: Lag | null = null;
  for (let step = 0; step <= maxShift; step++) {
    for (const shift of step === 0 ? [0] : [-step, step]) {
      const { n, correlation } = at(shift);
      if (n < least || Number.isNaN(correlation) || (best && correlation <= best.correlation)) continue;
      best = { seconds: (shift * gridMs) / 1000, correlation, n, gridSeconds: gridMs / 1000 };
    }
  }
  return best;
}

/**
 * The values of both series at the same regular moments. A series with several rows per step is averaged around them; of
 * one with fewer rows, neighbours are interpolated. The moments are epochs of the coarser series: with a grid of its own,
 * each series would be moved by up to a step, and the lag with it.
 */
function onCommonGrid(a: ComparedSeries, b: ComparedSeries, gridMs: number): [ComparedSeries, ComparedSeries] {
  const coarser = b.stepMs > a.stepMs ? b : a;
  const isSparse = ({ stepMs }: ComparedSeries): boolean => 2 * stepMs > gridMs;
  const momentMs = isSparse(coarser) ? (coarser.timesMs[0] ?? 0) : 0;
  // Values of the grid have the starts of their intervals as times, the moments are in the middle.
  const resampled = (series: ComparedSeries): ComparedSeries =>
    isSparse(series) ? interpolatedOn(series, gridMs, momentMs) : gridMeans(series, gridMs, momentMs - gridMs / 2);
  return [resampled(a), resampled(b)];
}

/** Values at a moment and at all moments a multiple of the step away, as means of intervals around them. */
function interpolatedOn(series: ComparedSeries, gridMs: number, momentMs: number): ComparedSeries {
  const firstMs = series.timesMs[0] ?? momentMs;
  const startMs = momentMs + Math.ceil((firstMs - momentMs) / gridMs) * gridMs;
  const size = Math.max(0, Math.floor(((series.timesMs.at(-1) ?? firstMs) - startMs) / gridMs) + 1);
  const momentsMs = new Float64Array(size);
  for (let i = 0; i < size; i++) momentsMs[i] = startMs + i * gridMs;
  const found = interpolatedAt(series, momentsMs, STEPS_ACROSS * series.stepMs);
  return { ...found, timesMs: found.timesMs.map((timeMs) => timeMs - gridMs / 2) };
}

interface Gridded {
  /** Minus their mean; 0 if missing. */
  readonly values: Float64Array;
  /** 1 if there is a mean. */
  readonly has: Uint8Array;
  /** Indices without a mean. */
  readonly missing: Int32Array;
  /** Prefix sums: number of means, values, and squares before each index. */
  readonly before: { readonly n: Float64Array; readonly sum: Float64Array; readonly squares: Float64Array };
}

function gridded(a: ComparedSeries, b: ComparedSeries, gridMs: number): (Gridded | null)[] {
  const firstMs = Math.min(a.timesMs[0] ?? Infinity, b.timesMs[0] ?? Infinity);
  const lastMs = Math.max(a.timesMs.at(-1) ?? -Infinity, b.timesMs.at(-1) ?? -Infinity);
  const size = Math.round((lastMs - firstMs) / gridMs) + 1;
  return [a, b].map((series) => (series.timesMs.length === 0 ? null : onGrid(series, { firstMs, gridMs, size })));
}

function onGrid(
  { timesMs, values, flags }: ComparedSeries,
  { firstMs, gridMs, size }: { readonly firstMs: number; readonly gridMs: number; readonly size: number },
): Gridded {
  const grid = { values: new Float64Array(size), has: new Uint8Array(size) };
  let sum = 0;
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    if (flags !== null && flags[i] !== 0) continue;
    const value = values[i]!;
    const at = Math.round((timesMs[i]! - firstMs) / gridMs);
    grid.values[at] = value;
    grid.has[at] = 1;
    sum += value;
    n++;
  }
  const before = {
    n: new Float64Array(size + 1),
    sum: new Float64Array(size + 1),
    squares: new Float64Array(size + 1),
  };
  const missing = new Int32Array(size - n);
  const mean = sum / n;
  let [nSoFar, sumSoFar, squaresSoFar, missingSoFar] = [0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    if (grid.has[i] === 1) {
      const value = grid.values[i]! - mean;
      grid.values[i] = value;
      nSoFar++;
      sumSoFar += value;
      squaresSoFar += value * value;
    } else {
      missing[missingSoFar++] = i;
    }
    before.n[i + 1] = nSoFar;
    before.sum[i + 1] = sumSoFar;
    before.squares[i + 1] = squaresSoFar;
  }
  return { ...grid, missing, before };
}

/** Sums of the products of successive shifts, computed together: a single sum would wait for the end of each addition. */
const NO_SUMS = { s0: 0, s1: 0, s2: 0, s3: 0, s4: 0, s5: 0, s6: 0, s7: 0 };
type ShiftSums = typeof NO_SUMS;
const SHIFTS_TOGETHER = Object.keys(NO_SUMS).length;

/** Sums of the products of A and of B shifted by -maxShift to maxShift. Missing values are zero. */
function productsOf(a: Float64Array, b: Float64Array, maxShift: number): number[] {
  const groups = Array.from({ length: Math.ceil((2 * maxShift + 1) / SHIFTS_TOGETHER) }, () => ({ ...NO_SUMS }));
  const padded = new Float64Array(b.length + maxShift + groups.length * SHIFTS_TOGETHER);
  padded.set(b, maxShift);
  inBatches(a.length, (batch) => {
    for (const [g, sums] of groups.entries()) addProducts({ a, padded, first: g * SHIFTS_TOGETHER }, batch, sums);
  });
  return groups.flatMap(({ s0, s1, s2, s3, s4, s5, s6, s7 }) => [s0, s1, s2, s3, s4, s5, s6, s7]);
}

/** @param first index of the first of these shifts */
function addProducts(
  { a, padded, first }: { readonly a: Float64Array; readonly padded: Float64Array; readonly first: number },
  { from, to }: Batch,
  sums: ShiftSums,
): void {
  let { s0, s1, s2, s3, s4, s5, s6, s7 } = sums;
  for (let i = from, k = from + first; i < to; i++, k++) {
    const value = a[i]!;
    s0 += value * padded[k]!;
    s1 += value * padded[k + 1]!;
    s2 += value * padded[k + 2]!;
    s3 += value * padded[k + 3]!;
    s4 += value * padded[k + 4]!;
    s5 += value * padded[k + 5]!;
    s6 += value * padded[k + 6]!;
    s7 += value * padded[k + 7]!;
  }
  Object.assign(sums, { s0, s1, s2, s3, s4, s5, s6, s7 });
}

/** Correlation of A with B `shift` steps later, where both have a mean. */
function shifted(
  a: Gridded,
  b: Gridded,
  shift: number,
  products: number,
): { readonly n: number; readonly correlation: number } {
  const from = Math.max(0, -shift);
  const to = Math.min(a.values.length, b.values.length - shift);
  const ofA = alsoIn(a, b, { from, to }, shift);
  const ofB = alsoIn(b, a, { from: from + shift, to: to + shift }, -shift);
  const { n } = ofA;
  if (n < 2) return { n, correlation: Number.NaN };
  const correlation = correlationOf(
    products - (ofA.sum * ofB.sum) / n,
    Math.max(0, ofA.squares - (ofA.sum * ofA.sum) / n),
    Math.max(0, ofB.squares - (ofB.sum * ofB.sum) / n),
  );
  return { n, correlation };
}

/** Sums over the values of one series for which the other has a mean: all minus those missing in the other. */
function alsoIn(one: Gridded, other: Gridded, { from, to }: Batch, shift: number) {
  const { before, values, has } = one;
  let n = between(before.n, from, to);
  let sum = between(before.sum, from, to);
  let squares = between(before.squares, from, to);
  for (let m = 0; m < other.missing.length; m++) {
    const at = other.missing[m]! - shift;
    if (at < from || at >= to) continue;
    const value = values[at]!;
    n -= has[at]!;
    sum -= value;
    squares -= value * value;
  }
  return { n, sum, squares };
}

/** Sum of a half-open range of indices, from its prefix sums. */
function between(prefixSums: Float64Array, from: number, to: number): number {
  return prefixSums[to]! - prefixSums[from]!;
}
