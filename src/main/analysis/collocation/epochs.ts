import type { PairedValues, PairGaps, Pairing } from "#shared/comparison.ts";
import { lowerBound } from "#shared/arrays.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { percentilesOf } from "../sorting.ts";

/** Rows of one quantity in time order, without missing values. Values in mm. */
export interface ValueRows {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** Steps of a series that are no gap yet: interpolation crosses them by default. */
const STEPS_ACROSS = 2.5;

/** Part of the usual step by which an epoch may be early or late, such as times rounded to five decimals of a day. */
const JITTER = 0.1;

/** Which epochs have a pair. */
export interface PairedEpochs {
  readonly range: TimeRange;
  /** The range is only where both series have rows: epochs just outside of it have a pair, too, if there is a partner. */
  readonly isOpen: boolean;
}

/** How far outside of a range the partners of its epochs may be; by default, of series with daily rows or finer ones. */
export function reachMs(pairing: Pairing): number {
  switch (pairing.kind) {
    case "nearest":
      return pairing.toleranceMs ?? DAY_MS / 2;
    case "mean":
      return pairing.intervalMs;
    case "linear":
      return pairing.mostGapMs ?? STEPS_ACROSS * DAY_MS;
  }
}

/**
 * The pairs of two series, in time order; see `Pairing`.
 *
 * @param a rows in the range and as far outside as `reachMs`
 */
export function pairEpochs(a: ValueRows, b: ValueRows, pairing: Pairing, epochs: PairedEpochs): PairedValues {
  if (pairing.kind === "mean") {
    const { intervalMs } = pairing;
    return pairMeans(meansOver(a, intervalMs, epochs.range), meansOver(b, intervalMs, epochs.range));
  }
  const isSwapped = rowsIn(b, epochs.range).timesMs.length < rowsIn(a, epochs.range).timesMs.length;
  const [fewer, other] = isSwapped ? [b, a] : [a, b];
  const sides = { base: epochs.isOpen ? fewer : rowsIn(fewer, epochs.range), other, isSwapped };
  return pairing.kind === "nearest"
    ? pairNearest(sides, pairing.toleranceMs ?? Math.min(usualStepMs(a), usualStepMs(b)) / 2)
    : pairInterpolated(sides, pairing.mostGapMs);
}

/** The series whose epochs have pairs, and the one with their partners. */
interface Sides {
  readonly base: ValueRows;
  readonly other: ValueRows;
  /** The base is B. */
  readonly isSwapped: boolean;
}

interface ValueRow {
  readonly index: number;
  readonly timeMs: number;
  readonly value: number;
}

/** The row at an index; null before the first and after the last. */
function rowAt({ timesMs, values }: ValueRows, index: number): ValueRow | null {
  const timeMs = timesMs[index];
  const value = values[index];
  return timeMs === undefined || value === undefined ? null : { index, timeMs, value };
}

function eachRow({ timesMs, values }: ValueRows, visit: (timeMs: number, value: number) => void): void {
  for (let i = 0; i < timesMs.length; i++) visit(timesMs[i]!, values[i]!);
}

/** The rows within a range. */
export function rowsIn({ timesMs, values }: ValueRows, { startMs, endMs }: TimeRange): ValueRows {
  const [from, to] = [lowerBound(timesMs, startMs), lowerBound(timesMs, endMs)];
  return { timesMs: timesMs.subarray(from, to), values: values.subarray(from, to) };
}

/** The rows whose value is finite. */
export function withValues(timesMs: Float64Array, values: Float64Array): ValueRows {
  let n = 0;
  for (const value of values) if (Number.isFinite(value)) n++;
  if (n === values.length) return { timesMs, values };
  const rows = { timesMs: new Float64Array(n), values: new Float64Array(n) };
  let at = 0;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    rows.timesMs[at] = timesMs[i] ?? Number.NaN;
    rows.values[at++] = value;
  });
  return rows;
}

/** The median distance of neighbouring epochs; Infinity with fewer than two rows. */
function usualStepMs({ timesMs }: Pick<ValueRows, "timesMs">): number {
  if (timesMs.length < 2) return Infinity;
  const steps = Float64Array.from(timesMs.subarray(1), (timeMs, i) => timeMs - (timesMs[i] ?? timeMs));
  return percentilesOf(steps)(0.5);
}

export function gapsBetween(pairs: Pick<PairedValues, "timesMs">): PairGaps {
  const maxStepMs = STEPS_ACROSS * usualStepMs({ timesMs: pairs.timesMs });
  const gaps = { count: 0, totalSeconds: 0, longestSeconds: 0 };
  let lastMs = Number.NaN;
  for (const timeMs of pairs.timesMs) {
    const apartMs = timeMs - lastMs;
    lastMs = timeMs;
    if (!(apartMs > maxStepMs)) continue;
    gaps.count++;
    gaps.totalSeconds += apartMs / 1_000;
    gaps.longestSeconds = Math.max(gaps.longestSeconds, apartMs / 1_000);
  }
  return gaps;
}

/** Collects pairs; `isSwapped`: the first value of each is that of B. */
function collector(isSwapped: boolean) {
  const lists: { readonly times: number[]; readonly first: number[]; readonly second: number[] } = {
    times: [],
    first: [],
    second: [],
  };
  return {
    add(timeMs: number, first: number, second: number): void {
      lists.times.push(timeMs);
      lists.first.push(first);
      lists.second.push(second);
    },
    finish(): PairedValues {
      const [a, b] = isSwapped ? [lists.second, lists.first] : [lists.first, lists.second];
      return { timesMs: Float64Array.from(lists.times), a: Float64Array.from(a), b: Float64Array.from(b) };
    },
  };
}

/** Each epoch of the series with fewer rows and the nearest of the other; no row is used twice. */
function pairNearest({ base, other, isSwapped }: Sides, toleranceMs: number): PairedValues {
  const pairs = collector(isSwapped);
  let waiting: { readonly timeMs: number; readonly value: number; readonly near: ValueRow } | null = null;
  const keep = (): void => {
    if (waiting) pairs.add(waiting.timeMs, waiting.value, waiting.near.value);
  };
  eachRow(base, (timeMs, value) => {
    const near = nearestRow(other, timeMs, waiting?.near.index ?? -1);
    if (!near || Math.abs(near.timeMs - timeMs) > toleranceMs) return;
    if (waiting?.near.index !== near.index) keep();
    else if (Math.abs(near.timeMs - timeMs) >= Math.abs(near.timeMs - waiting.timeMs)) return;
    waiting = { timeMs, value, near };
  });
  keep();
  return pairs.finish();
}

/** The row nearest to a moment, the earlier of two equally near unless it is used already; null without rows. */
function nearestRow(rows: ValueRows, momentMs: number, usedIndex: number): ValueRow | null {
  const at = lowerBound(rows.timesMs, momentMs);
  const [before, next] = [rowAt(rows, at - 1), rowAt(rows, at)];
  if (!before || !next) return before ?? next;
  const [beforeMs, afterMs] = [momentMs - before.timeMs, next.timeMs - momentMs];
  return beforeMs < afterMs || (beforeMs === afterMs && before.index !== usedIndex) ? before : next;
}

/**
 * Means over intervals aligned to UTC; the time is the start. An interval that the range cuts, or in which the series
 * begins or ends, has none: a part of it is no match for the whole interval of another series.
 */
function meansOver(rows: ValueRows, intervalMs: number, range: TimeRange): ValueRows {
  const stepMs = usualStepMs(rows);
  // Before the first row and after the last one, the series would have another one.
  const beforeMs = (rows.timesMs[0] ?? Number.NaN) - stepMs;
  const afterMs = (rows.timesMs.at(-1) ?? Number.NaN) + (1 + JITTER) * stepMs;
  const isWhole = (startMs: number): boolean =>
    startMs >= range.startMs &&
    startMs + intervalMs <= range.endMs &&
    startMs > beforeMs &&
    startMs + intervalMs <= afterMs;
  const means = collector(false);
  let start = Number.NaN;
  let sum = 0;
  let n = 0;
  const finish = (): void => {
    if (n > 0 && isWhole(start)) means.add(start, sum / n, 0);
  };
  eachRow(rows, (timeMs, value) => {
    const own = Math.floor(timeMs / intervalMs) * intervalMs;
    if (own !== start) {
      finish();
      [start, sum, n] = [own, 0, 0];
    }
    sum += value;
    n++;
  });
  finish();
  const { timesMs, a } = means.finish();
  return { timesMs, values: a };
}

/** Means of the intervals that both have. */
function pairMeans(a: ValueRows, b: ValueRows): PairedValues {
  const pairs = collector(false);
  eachRow(a, (timeMs, value) => {
    const other = rowAt(b, lowerBound(b.timesMs, timeMs));
    if (other?.timeMs === timeMs) pairs.add(timeMs, value, other.value);
  });
  return pairs.finish();
}

/** The epochs of the series with fewer rows, with the other one interpolated between its neighbouring rows. */
function pairInterpolated({ base, other, isSwapped }: Sides, mostGapMs: number | null): PairedValues {
  const maxStepMs = mostGapMs ?? STEPS_ACROSS * usualStepMs(other);
  const pairs = collector(isSwapped);
  eachRow(base, (timeMs, value) => {
    const between = interpolated(other, timeMs, maxStepMs);
    if (between !== null) pairs.add(timeMs, value, between);
  });
  return pairs.finish();
}

/** The value at a moment, interpolated linearly between two rows at most so far apart; null without such rows. */
export function interpolated(rows: ValueRows, momentMs: number, mostGapMs: number): number | null {
  const at = lowerBound(rows.timesMs, momentMs);
  const next = rowAt(rows, at);
  if (!next || next.timeMs === momentMs) return next && next.value;
  const last = rowAt(rows, at - 1);
  if (!last || next.timeMs - last.timeMs > mostGapMs) return null;
  return last.value + ((next.value - last.value) * (momentMs - last.timeMs)) / (next.timeMs - last.timeMs);
}
