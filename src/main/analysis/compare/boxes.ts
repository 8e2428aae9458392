import type { Box } from "#shared/bridge/methods/compare.ts";
import { percentilesOf } from "../sorting.ts";

const HOUR_MS = 3_600_000;

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
  for (const timeMs of timesMs) sizes[hourOf(timeMs)]!++;
  const hours = Array.from(sizes, (size) => ({ n: 0, values: new Float64Array(size) }));
  for (let i = 0; i < values.length; i++) {
    const hour = hours[hourOf(timesMs[i]!)]!;
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

function hourOf(timeMs: number): number {
  const hour = Math.floor(timeMs / HOUR_MS) % 24;
  return hour < 0 ? hour + 24 : hour;
}
