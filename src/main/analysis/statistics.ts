import type { Statistics } from "#shared/series/statistics.ts";
import type { ScalarColumn } from "#shared/series/rows.ts";
import { epochsIn } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "./search.ts";

/**
 * @param timesMs ascending
 * @param stepSeconds seconds between two values where none is missing: the interval, or the variable's own cadence
 */
export function statistics(
  timesMs: Float64Array,
  column: ScalarColumn,
  range: TimeRange,
  stepSeconds: number,
): Statistics {
  const sorted = valuesIn(timesMs, column, range).toSorted();
  const n = sorted.length;
  const mean = meanOf(sorted);
  const expected = epochsIn(range, stepSeconds);
  return {
    n,
    mean,
    std: Math.sqrt(squaresAround(sorted, mean) / (n - 1)),
    min: sorted[0] ?? Number.NaN,
    max: sorted[n - 1] ?? Number.NaN,
    p5: percentile(sorted, 0.05),
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    expected,
    completeness: expected === 0 ? Number.NaN : Math.min(1, n / expected),
  };
}

function valuesIn(timesMs: Float64Array, { values, present }: ScalarColumn, range: TimeRange): Float64Array {
  const to = lowerBound(timesMs, range.endMs);
  const kept = new Float64Array(to);
  let n = 0;
  for (let i = lowerBound(timesMs, range.startMs); i < to; i++) {
    if (!Number.isNaN(values[i]!) && (present === null || present[i] === 1)) kept[n++] = values[i]!;
  }
  return kept.subarray(0, n);
}

/** In two passes, the second on the small remainders: a large offset (a ZTD of 2,400 mm) costs no digits. */
function meanOf(values: Float64Array): number {
  const n = values.length;
  if (n === 0) return Number.NaN;
  const rough = values.reduce((sum, v) => sum + v, 0) / n;
  return rough + values.reduce((sum, v) => sum + (v - rough), 0) / n;
}

function squaresAround(values: Float64Array, mean: number): number {
  if (values.length < 2) return Number.NaN;
  return values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
}

/** Linear between the two nearest ranks, as numpy and most spreadsheets have it. */
function percentile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = share * (sorted.length - 1);
  const low = Math.floor(rank);
  const below = sorted[low]!;
  const above = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return below + (above - below) * (rank - low);
}
