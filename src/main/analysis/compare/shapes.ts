import { HOUR_MS, hourOfDay } from "#shared/time/utc.ts";
import type { Box, Scatter } from "#shared/bridge/methods/compare.ts";
import { percentilesOf } from "../sorting.ts";

/** Returns percentiles of the values, which it reorders. */
export function boxOf(values: Float64Array): Box {
  const percentile = percentilesOf(values);
  return {
    n: values.length,
    p5: percentile(0.05),
    p25: percentile(0.25),
    p50: percentile(0.5),
    p75: percentile(0.75),
    p95: percentile(0.95),
  };
}

/** Returns a box for each hour of the UTC day. */
export function hourBoxes(timesMs: Float64Array, values: Float64Array): Box[] {
  const sizes = new Uint32Array(24);
  for (const timeMs of timesMs) sizes[hourOfDay(timeMs)]!++;
  const hours = Array.from(sizes, (size) => ({ n: 0, values: new Float64Array(size) }));
  for (let i = 0; i < values.length; i++) {
    const hour = hours[hourOfDay(timesMs[i]!)]!;
    hour.values[hour.n++] = values[i]!;
  }
  return hours.map((hour) => boxOf(hour.values));
}

/** In binary, 0.6 / 0.2 is a little less than 3. */
const ROUNDING = 1e-9;

/** Counts values in bins from zero; the last bin includes all larger values. NaN is ignored. */
export function histogram(values: Float64Array, binWidth: number, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  for (const value of values) if (value >= 0) counts[Math.min(bins - 1, Math.floor(value / binWidth + ROUNDING))]!++;
  return counts;
}

/** A line through fewer values, or through less than this fraction of the window, is unreliable. */
const MIN_VALUES = 3;
const MIN_FRACTION = 0.5;

/**
 * Returns the rate of change at each value: the slope of the least-squares line through the values of a window around it,
 * per hour. NaN if the window has too few values, or values in only a part of it.
 *
 * @param timesMs strictly ascending
 * @param windowMs full width; includes values exactly half of it away
 */
export function ratePerHour(timesMs: Float64Array, values: Float64Array, windowMs: number): Float64Array {
  const rates = new Float64Array(values.length).fill(Number.NaN);
  // Changed in place: an object for each of millions of values would take most of the time.
  const near = { from: 0, to: 0 };
  for (let i = 0; i < values.length; i++) {
    const timeMs = timesMs[i]!;
    while (timesMs[near.from]! < timeMs - windowMs / 2) near.from++;
    while (near.to < values.length && timesMs[near.to]! <= timeMs + windowMs / 2) near.to++;
    if (near.to - near.from < MIN_VALUES) continue;
    if (timesMs[near.to - 1]! - timesMs[near.from]! < windowMs * MIN_FRACTION) continue;
    rates[i] = slope(timesMs, values, near, i);
  }
  return rates;
}

/** Relative to the value at `middle`, so that large offsets cancel before they are squared. */
function slope(
  timesMs: Float64Array,
  values: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
  middle: number,
): number {
  const [middleMs, middleValue] = [timesMs[middle]!, values[middle]!];
  let [sumT, sumV, squares, products] = [0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const hours = (timesMs[k]! - middleMs) / HOUR_MS;
    const value = values[k]! - middleValue;
    sumT += hours;
    sumV += value;
    squares += hours * hours;
    products += hours * value;
  }
  const n = to - from;
  return (products - (sumT * sumV) / n) / (squares - (sumT * sumT) / n);
}

/** More points than this would overlap, so they are counted on a grid. */
const MAX_POINTS = 4_000;
const CELLS = 96;

/** Returns B over A: points if they are few, otherwise counts on a grid. */
export function scatterOf(aId: string, bId: string, a: Float64Array, b: Float64Array): Scatter {
  const n = a.length;
  if (n <= MAX_POINTS) return { kind: "points", aId, bId, n, a: a.slice(), b: b.slice() };
  const [alongA, alongB] = [limitsOf(a), limitsOf(b)];
  const counts = new Uint32Array(CELLS * CELLS);
  for (let i = 0; i < n; i++) counts[binOf(b[i]!, alongB) * CELLS + binOf(a[i]!, alongA)]!++;
  return { kind: "density", aId, bId, n, cells: CELLS, counts, a: alongA, b: alongB };
}

function limitsOf(values: Float64Array): { low: number; high: number } {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? { low, high } : { low: low - 0.5, high: high + 0.5 };
}

function binOf(value: number, { low, high }: { low: number; high: number }): number {
  return Math.min(CELLS - 1, Math.floor(((value - low) / (high - low)) * CELLS));
}
