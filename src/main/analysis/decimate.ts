import type { ScalarColumn } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "./search.ts";

/** min, max and mean of the values in each of `count.length` equal columns of time; NaN where a column has none. */
export interface Decimated {
  readonly range: TimeRange;
  readonly count: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
}

/** The pixel column of a moment: columns are half-open, like the range that they divide. */
export function columnOf(momentMs: number, range: TimeRange, columns: number): number {
  return Math.floor(((momentMs - range.startMs) * columns) / (range.endMs - range.startMs));
}

/**
 * Exact decimation from all rows. Values that are NaN or not present count for nothing.
 *
 * @param timesMs ascending
 */
export function decimate(timesMs: Float64Array, column: ScalarColumn, range: TimeRange, columns: number): Decimated {
  const { values, present } = column;
  const count = new Uint32Array(columns);
  const min = new Float64Array(columns).fill(Number.NaN);
  const max = new Float64Array(columns).fill(Number.NaN);
  const mean = new Float64Array(columns);
  const to = lowerBound(timesMs, range.endMs);
  for (let i = lowerBound(timesMs, range.startMs); i < to; i++) {
    const value = values[i]!;
    if (Number.isNaN(value) || (present !== null && present[i] === 0)) continue;
    const c = columnOf(timesMs[i]!, range, columns);
    if (count[c]!++ === 0) {
      min[c] = value;
      max[c] = value;
    } else if (value < min[c]!) min[c] = value;
    else if (value > max[c]!) max[c] = value;
    mean[c]! += value;
  }
  for (let c = 0; c < columns; c++) mean[c] = count[c] === 0 ? Number.NaN : mean[c]! / count[c]!;
  return { range, count, min, max, mean };
}
