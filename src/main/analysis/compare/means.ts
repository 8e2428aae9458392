import { lowerBound, upperBound } from "#shared/arrays.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { type Batch, inBatches, type ComparedSeries } from "./series.ts";

/**
 * Returns means over intervals that begin at multiples of the step since 1970; their time is the start of the interval.
 * A mean has the marks of all its values.
 *
 * @param centreMs if given, intervals are centred at this moment and at all moments a multiple of the step away, and their
 * time is that moment
 */
export function meansOf(series: ComparedSeries, stepMs: number, centreMs: number | null = null): ComparedSeries {
  const { timesMs, flags } = series;
  const first = timesMs[0] ?? 0;
  const most = Math.min(timesMs.length, Math.floor(((timesMs.at(-1) ?? first) - first) / stepMs) + 2);
  const found: Means = {
    beforeMs: centreMs === null ? 0 : stepMs / 2,
    phaseMs: (centreMs ?? 0) % stepMs,
    n: 0,
    endMs: -Infinity,
    sum: 0,
    rows: 0,
    marks: 0,
    timesMs: new Float64Array(most),
    values: new Float64Array(most),
    flags: flags && new Uint8Array(most),
  };
  inBatches(timesMs.length, (batch) => addRows(series, batch, stepMs, found));
  const { n } = found;
  if (n > 0) closeMean(found, n, found.sum / found.rows, found.marks);
  return {
    stationId: series.stationId,
    stepMs,
    timesMs: found.timesMs.subarray(0, n),
    values: found.values.subarray(0, n),
    flags: found.flags?.subarray(0, n) ?? null,
  };
}

/**
 * Leaves out the means of intervals that the range cuts, or in which the series begins or ends: a part of an interval is no
 * match for the whole interval of a series with longer steps.
 */
export function wholeMeans(means: ComparedSeries, series: ComparedSeries, range: TimeRange): ComparedSeries {
  if (series.stepMs >= means.stepMs || series.timesMs.length === 0) return means;
  const startMs = Math.max(range.startMs, series.timesMs[0]! - series.stepMs + 1);
  const endMs = Math.min(range.endMs, series.timesMs.at(-1)! + series.stepMs);
  const from = lowerBound(means.timesMs, startMs);
  const to = Math.max(from, upperBound(means.timesMs, endMs - means.stepMs));
  return {
    ...means,
    timesMs: means.timesMs.subarray(from, to),
    values: means.values.subarray(from, to),
    flags: means.flags?.subarray(from, to) ?? null,
  };
}

/** Returns a `meansOf` with a cache, because each series is part of many pairs. */
export function cachedMeans(): typeof meansOf {
  const known = new WeakMap<ComparedSeries, Map<string, ComparedSeries>>();
  return (series, stepMs, centreMs) => {
    const ofSeries = known.get(series) ?? new Map<string, ComparedSeries>();
    known.set(series, ofSeries);
    const key = `${stepMs} ${typeof centreMs === "number" ? centreMs % stepMs : ""}`;
    const means = ofSeries.get(key) ?? meansOf(series, stepMs, centreMs);
    ofSeries.set(key, means);
    return means;
  };
}

/** Means so far; the last of the `n` is open: the sum of its values, and their number and marks, are kept until a row of the next one arrives. */
interface Means {
  /** From the start of an interval to its time. */
  readonly beforeMs: number;
  /** Times are this far from multiples of the step. */
  readonly phaseMs: number;
  n: number;
  endMs: number;
  sum: number;
  rows: number;
  marks: number;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly flags: Uint8Array | null;
}

function addRows(series: ComparedSeries, { from, to }: Batch, stepMs: number, found: Means): void {
  const { timesMs, values, flags } = series;
  const { beforeMs, phaseMs } = found;
  let { n, endMs, sum, rows, marks } = found;
  for (let i = from; i < to; i++) {
    const timeMs = timesMs[i]!;
    if (!(timeMs < endMs)) {
      if (n > 0) closeMean(found, n, sum / rows, marks);
      const ownMs = Math.floor((timeMs + beforeMs - phaseMs) / stepMs) * stepMs + phaseMs;
      found.timesMs[n++] = ownMs;
      endMs = ownMs + stepMs - beforeMs;
      sum = 0;
      rows = 0;
      marks = 0;
    }
    sum += values[i]!;
    rows++;
    if (flags !== null) marks |= flags[i]!;
  }
  found.n = n;
  found.endMs = endMs;
  found.sum = sum;
  found.rows = rows;
  found.marks = marks;
}

/** Writes the last of `n` means. */
function closeMean({ values, flags }: Means, n: number, mean: number, marks: number): void {
  values[n - 1] = mean;
  if (flags !== null) flags[n - 1] = marks;
}
