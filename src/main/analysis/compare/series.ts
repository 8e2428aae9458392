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
