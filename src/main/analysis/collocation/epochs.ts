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

/** Rows of a series, and what its values stand for. */
interface CellRows extends ValueRows {
  /** 0: moments; else means over so many milliseconds, which begin at the times; null: unknown. */
  readonly cellMs: number | null;
}

/** Pairs of one kind of cell: of moments (0), or of means that begin at the times. */
interface PairedCells {
  readonly pairs: PairedValues;
  readonly cellMs: number;
  /** One series has means, and the other moments of which rarely more than one is in an interval. */
  readonly isOfMoments: boolean;
}

/** Two means with starts so close are of one interval: times are rounded to seconds in many formats. */
const SAME_START_MS = 1_000;

/** Steps of a series that are not a gap yet: interpolation crosses them by default. */
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
 * The pairs of two series, in time order; see `Pairing`. A mean is paired with a mean of the same interval: where the cells
 * of the series differ, the one with the shorter cells is averaged over those of the other. Values of unknown cells are
 * taken as moments beside means that are much longer than their step, else as cells like those of the other series.
 *
 * @param a rows in the range and as far outside as `reachMs` and the cells of both
 */
export function pairEpochs(a: CellRows, b: CellRows, pairing: Pairing, epochs: PairedEpochs): PairedCells {
  const [ofA, ofB] = [cellBeside(a, b), cellBeside(b, a)];
  const longestMs = Math.max(ofA, ofB);
  const intervalMs = pairing.kind === "mean" ? pairing.intervalMs : 0;
  if (intervalMs === 0 && ofA === ofB)
    return { pairs: pairRows([a, b], pairing, epochs, ofA), cellMs: ofA, isOfMoments: false };
  const isSparse = (rows: ValueRows, ownMs: number): boolean => ownMs === 0 && 2 * usualStepMs(rows) > longestMs;
  const isOfMoments = ofA !== ofB && (isSparse(a, ofA) || isSparse(b, ofB));
  const range = epochs.isOpen ? null : epochs.range;
  const ofLonger = { startsMs: (ofA === longestMs ? a : b).timesMs, lengthMs: longestMs, range };
  // Averaged over the same cells first: gaps of observations would weigh less in a mean of means.
  const [one, other] = ofA === ofB ? [a, b] : [meansIn(a, ofA, ofLonger), meansIn(b, ofB, ofLonger)];
  if (longestMs >= intervalMs) return { pairs: pairMeans(one, other), cellMs: longestMs, isOfMoments };
  const grid = { startsMs: gridStarts(one, intervalMs), lengthMs: intervalMs, range: epochs.range };
  const pairs = pairMeans(meansIn(one, longestMs, grid), meansIn(other, longestMs, grid));
  return { pairs, cellMs: intervalMs, isOfMoments };
}

function cellBeside(own: CellRows, other: CellRows): number {
  if (own.cellMs !== null) return own.cellMs;
  const otherMs = other.cellMs ?? 0;
  return 2 * usualStepMs(own) <= otherMs ? 0 : otherMs;
}

/** Pairs of series of the same cells. */
function pairRows(
  [a, b]: readonly [ValueRows, ValueRows],
  pairing: Pairing,
  epochs: PairedEpochs,
  cellMs: number,
): PairedValues {
  const isSwapped = rowsIn(b, epochs.range).timesMs.length < rowsIn(a, epochs.range).timesMs.length;
  const [fewer, other] = isSwapped ? [b, a] : [a, b];
  const sides = { base: epochs.isOpen ? fewer : rowsIn(fewer, epochs.range), other, isSwapped };
  return pairing.kind === "nearest"
    ? pairNearest(
        sides,
        pairing.toleranceMs ?? (cellMs > 0 ? SAME_START_MS : Math.min(usualStepMs(a), usualStepMs(b)) / 2),
      )
    : pairInterpolated(sides, pairing.kind === "linear" ? pairing.mostGapMs : null);
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

/** The intervals aligned to UTC in which a series has rows. */
function gridStarts({ timesMs }: ValueRows, intervalMs: number): Float64Array {
  return Float64Array.from(new Set(timesMs.map((timeMs) => Math.floor(timeMs / intervalMs) * intervalMs)));
}

/** Intervals in time order; `range`: only those within it count. */
interface Cells {
  readonly startsMs: Float64Array;
  readonly lengthMs: number;
  readonly range: TimeRange | null;
}

/**
 * Means over cells, of the rows whose own cells lie within; the time is the start. A cell that the range cuts, or in which
 * the series begins or ends, has none: a part of it is not a match for the whole interval of another series.
 */
function meansIn(rows: ValueRows, ownMs: number, { startsMs, lengthMs, range }: Cells): ValueRows {
  const { timesMs, values } = rows;
  const stepMs = Math.max(usualStepMs(rows), ownMs);
  // Before the first row and after the last one, the series would have another one.
  const beforeMs = (timesMs[0] ?? Number.NaN) - stepMs;
  const afterMs = (timesMs.at(-1) ?? Number.NaN) + (1 + JITTER) * stepMs;
  const earlyMs = ownMs > 0 ? SAME_START_MS : 0;
  const means = collector(false);
  for (const startMs of startsMs) {
    const endMs = startMs + lengthMs;
    if (range && (startMs < range.startMs || endMs > range.endMs)) continue;
    if (!(startMs > beforeMs && endMs <= afterMs)) continue;
    const from = lowerBound(timesMs, startMs - earlyMs);
    const to = lowerBound(timesMs, ownMs > 0 ? endMs - ownMs + earlyMs : endMs);
    if (to <= from) continue;
    let sum = 0;
    for (let i = from; i < to; i++) sum += values[i]!;
    means.add(startMs, sum / (to - from), 0);
  }
  const { timesMs: times, a } = means.finish();
  return { timesMs: times, values: a };
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
