import { lowerBound } from "#shared/arrays.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { percentilesOf } from "../sorting.ts";

/** Rows per batch: as many as fit into the processor's first-level cache. */
export const BATCH_ROWS = 2_048;

/** A half-open range of rows. */
export interface Batch {
  readonly from: number;
  readonly to: number;
}

/**
 * Runs long work in batches. A loop over a year, run once, is compiled while it runs and again the next time; a function
 * that is called for every batch is compiled once.
 */
export function inBatches(n: number, work: (batch: Batch) => void): void {
  for (let from = 0; from < n; from += BATCH_ROWS) work({ from, to: Math.min(n, from + BATCH_ROWS) });
}

/** Rows of one quantity, without missing values. Values in mm. */
export interface ValueRows {
  /** Strictly ascending. */
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** A series to be paired with another one. */
export interface ComparedSeries extends ValueRows {
  /** Pairs with a value that is not 0 here are left out, and counted; null: none is. */
  readonly flags: Uint8Array | null;
  /** 0: moments; else means over so many milliseconds, which begin at the times; null: unknown. */
  readonly cellMs: number | null;
  /** The median distance of neighbouring epochs; Infinity with fewer than two rows. */
  readonly stepMs: number;
}

export function comparedSeries(
  { timesMs, values }: ValueRows,
  cellMs: number | null,
  flags: Uint8Array | null = null,
): ComparedSeries {
  return { timesMs, values, flags, cellMs, stepMs: usualStepMs(timesMs) };
}

/** Returns the median distance of neighbouring epochs; Infinity with fewer than two rows. */
export function usualStepMs(timesMs: Float64Array): number {
  if (timesMs.length < 2) return Infinity;
  const steps = new Float64Array(timesMs.length - 1);
  for (let i = 0; i < steps.length; i++) steps[i] = timesMs[i + 1]! - timesMs[i]!;
  return percentilesOf(steps)(0.5);
}

/** Returns the rows from one index to another; arrays share their memory. */
export function slicedRows<T extends ValueRows & { readonly flags?: Uint8Array | null }>(
  rows: T,
  from: number,
  to: number,
): T {
  return {
    ...rows,
    timesMs: rows.timesMs.subarray(from, to),
    values: rows.values.subarray(from, to),
    ...(rows.flags ? { flags: rows.flags.subarray(from, to) } : {}),
  };
}

/** Returns the rows within a range. */
export function rowsIn<T extends ValueRows>(rows: T, { startMs, endMs }: TimeRange): T {
  return slicedRows(rows, lowerBound(rows.timesMs, startMs), lowerBound(rows.timesMs, endMs));
}

/** Returns the rows whose value is finite. */
export function withValues(timesMs: Float64Array, values: Float64Array): ValueRows {
  const isKept = (_: number, i: number): boolean => Number.isFinite(values[i]);
  return values.every((value) => Number.isFinite(value))
    ? { timesMs, values }
    : { timesMs: timesMs.filter(isKept), values: values.filter(isKept) };
}

/** Returns NaN without values. Relative to the first value, so that a large offset costs no digits. */
export function meanOf(values: Float64Array): number {
  const first = values[0] ?? 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - first;
  return values.length === 0 ? Number.NaN : first + sum / values.length;
}

/** Steps of a series that are not a gap yet: interpolation crosses them. */
export const STEPS_ACROSS = 2.5;

/**
 * Returns the values at moments in ascending order, interpolated linearly between two rows at most so far apart; NaN without
 * such rows.
 */
export function interpolate({ timesMs, values }: ValueRows, momentsMs: Float64Array, mostGapMs: number): Float64Array {
  const found = new Float64Array(momentsMs.length).fill(Number.NaN);
  eachNeighbour(timesMs, momentsMs, (at, next) => {
    const momentMs = momentsMs[at]!;
    const nextMs = timesMs[next]!;
    const lastMs = timesMs[next - 1] ?? -Infinity;
    if (nextMs === momentMs) found[at] = values[next]!;
    else if (nextMs - lastMs <= mostGapMs) {
      const share = (momentMs - lastMs) / (nextMs - lastMs);
      found[at] = values[next - 1]! + (values[next]! - values[next - 1]!) * share;
    }
  });
  return found;
}

/** Returns a series at the moments at which it can be interpolated; a value has the flags of both its neighbours. */
export function interpolatedAt(series: ComparedSeries, momentsMs: Float64Array, mostGapMs: number): ComparedSeries {
  const { timesMs, flags } = series;
  const values = interpolate(series, momentsMs, mostGapMs);
  const all = { timesMs: momentsMs.slice(), values, flags: flags && new Uint8Array(values.length) };
  eachNeighbour(timesMs, momentsMs, (at, next) => {
    if (all.flags && flags)
      all.flags[at] = flags[next]! | (timesMs[next] === momentsMs[at] ? 0 : (flags[next - 1] ?? 0));
  });
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    all.timesMs[n] = all.timesMs[i]!;
    all.values[n] = values[i]!;
    if (all.flags) all.flags[n] = all.flags[i]!;
    n++;
  }
  return slicedRows({ ...series, ...all }, 0, n);
}

/** Calls `visit` with the index of each moment that is not after the last row, and of the first row not before it. */
function eachNeighbour(
  timesMs: Float64Array,
  momentsMs: Float64Array,
  visit: (at: number, next: number) => void,
): void {
  let next = 0;
  for (let at = 0; at < momentsMs.length; at++) {
    while (next < timesMs.length && timesMs[next]! < momentsMs[at]!) next++;
    if (next === timesMs.length) return;
    visit(at, next);
  }
}
