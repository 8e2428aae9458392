import { type ComparedSeries, slicedRows } from "./series.ts";
import { lowerBound, upperBound } from "#shared/arrays.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Two means with starts so close are of one interval: times are rounded to seconds in many formats. */
export const SAME_START_MS = 1_000;

/** Part of the usual step by which an epoch may be early or late, such as times rounded to five decimals of a day. */
const JITTER = 0.1;

/** Intervals in time order. */
interface Cells {
  readonly startsMs: Float64Array;
  readonly lengthMs: number;
}

/**
 * Returns means over cells, of the rows whose own cells lie within; their time is the start. A cell in which the series
 * begins or ends has none: a part of it does not match the whole interval of another series. A mean has the flags of all
 * its values.
 */
export function meansOver(series: ComparedSeries, { startsMs, lengthMs }: Cells): ComparedSeries {
  const { timesMs, values, flags } = series;
  const ownMs = series.cellMs ?? 0;
  const stepMs = Math.max(series.stepMs, ownMs);
  // Before the first row and after the last one, the series would have another one.
  const beforeMs = (timesMs[0] ?? Number.NaN) - stepMs;
  const afterMs = (timesMs.at(-1) ?? Number.NaN) + (1 + JITTER) * stepMs;
  const earlyMs = ownMs > 0 ? SAME_START_MS : 0;
  const lateMs = lengthMs - ownMs + earlyMs;
  const found = {
    timesMs: new Float64Array(startsMs.length),
    values: new Float64Array(startsMs.length),
    flags: flags && new Uint8Array(startsMs.length),
  };
  let n = 0;
  let from = 0;
  for (let c = 0; c < startsMs.length; c++) {
    const startMs = startsMs[c]!;
    if (!(startMs > beforeMs && startMs + lengthMs <= afterMs)) continue;
    while (from < timesMs.length && timesMs[from]! < startMs - earlyMs) from++;
    let to = from;
    let sum = 0;
    let marks = 0;
    for (; to < timesMs.length && timesMs[to]! < startMs + lateMs; to++) {
      sum += values[to]!;
      if (flags !== null) marks |= flags[to]!;
    }
    if (to === from) continue;
    found.timesMs[n] = startMs;
    found.values[n] = sum / (to - from);
    if (found.flags !== null) found.flags[n] = marks;
    n++;
  }
  return slicedRows({ ...found, cellMs: lengthMs, stepMs: lengthMs }, 0, n);
}

const known = new WeakMap<ComparedSeries, Map<string, ComparedSeries>>();

/**
 * Returns means over the intervals of a grid, see `meansOver`. They are kept with the series, which is part of many pairs.
 *
 * @param phaseMs intervals begin so far from multiples of their length since 1970
 */
export function gridMeans(series: ComparedSeries, intervalMs: number, phaseMs = 0): ComparedSeries {
  const ofSeries = known.get(series) ?? new Map<string, ComparedSeries>();
  known.set(series, ofSeries);
  const key = `${intervalMs} ${phaseMs % intervalMs}`;
  const means =
    ofSeries.get(key) ??
    meansOver(series, { startsMs: gridStarts(series, intervalMs, phaseMs % intervalMs), lengthMs: intervalMs });
  ofSeries.set(key, means);
  return means;
}

/** The starts of the intervals in which a series has rows. */
function gridStarts({ timesMs, cellMs }: ComparedSeries, intervalMs: number, phaseMs: number): Float64Array {
  const earlyMs = (cellMs ?? 0) > 0 ? SAME_START_MS : 0;
  const starts: number[] = [];
  let endMs = -Infinity;
  for (let i = 0; i < timesMs.length; i++) {
    const timeMs = timesMs[i]! + earlyMs;
    if (timeMs < endMs) continue;
    const startMs = Math.floor((timeMs - phaseMs) / intervalMs) * intervalMs + phaseMs;
    starts.push(startMs);
    endMs = startMs + intervalMs;
  }
  return Float64Array.from(starts);
}

/** Returns the means whose intervals a range does not cut. */
export function wholeMeans(means: ComparedSeries, cellMs: number, range: TimeRange): ComparedSeries {
  const from = lowerBound(means.timesMs, range.startMs);
  return slicedRows(means, from, Math.max(from, upperBound(means.timesMs, range.endMs - cellMs)));
}
