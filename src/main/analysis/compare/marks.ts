import {
  type Mark,
  type MarkCounts,
  type MarkPlaces,
  MARKS,
  type MarkSettings,
} from "#shared/bridge/methods/compare.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { lowerBound } from "#shared/arrays.ts";
import { pixelColumn } from "../decimate.ts";
import { type Batch, inBatches, type ValueRows } from "./series.ts";

const MARK_BITS: Readonly<Record<Mark, number>> = { range: 1, sigma: 2, step: 4, stuck: 8 };

const MINUTE_MS = 60_000;
/** Two equal values are normal; at least three in a row over a long time are stuck. */
const MIN_STUCK = 3;

/**
 * Marks values that may be wrong. Nothing is removed.
 *
 * @param timesMs strictly ascending
 * @param values as long as the times, without NaN
 * @param sigma formal uncertainty of each value, NaN if unknown; null if all are unknown
 * @returns the bits of each value; null if none is marked
 */
export function markValues(
  timesMs: Float64Array,
  values: Float64Array,
  sigma: Float64Array | null,
  settings: MarkSettings,
): Uint8Array | null {
  if (Object.values(settings).every((limit) => limit === null)) return null;
  const flags = new Uint8Array(values.length);
  const { range, sigmaMm, step, stuckMinutes } = settings;
  const n = values.length;
  if (range) inBatches(n, (batch) => markRange(values, batch, range, flags));
  if (sigmaMm !== null && sigma) inBatches(n, (batch) => markSigma(sigma, batch, sigmaMm, flags));
  if (step) inBatches(n, (batch) => markSteps({ timesMs, values }, batch, step, flags));
  if (stuckMinutes !== null) {
    const stuck = { forMs: stuckMinutes * MINUTE_MS, since: 0 };
    inBatches(n, (batch) => markStuck({ timesMs, values }, batch, stuck, flags));
  }
  return countMarks(flags).marked === 0 ? null : flags;
}

/** Counts the values with each mark, and with any. */
export function countMarks(flags: Uint8Array | null): { readonly counts: MarkCounts; readonly marked: number } {
  const counts = { range: 0, sigma: 0, step: 0, stuck: 0 };
  if (flags === null) return { counts, marked: 0 };
  const byFlags = new Uint32Array(256);
  inBatches(flags.length, (batch) => countFlags(flags, batch, byFlags));
  let marked = 0;
  byFlags.forEach((n, flag) => {
    marked += n;
    for (const mark of MARKS) if (flag & MARK_BITS[mark]) counts[mark] += n;
  });
  return { counts, marked };
}

/** Counts the values with each mark in each of the columns; null if none is marked. */
export function placeMarks(
  timesMs: Float64Array,
  flags: Uint8Array | null,
  range: TimeRange,
  columns: number,
): MarkPlaces | null {
  if (flags === null) return null;
  const of = (): Uint32Array => new Uint32Array(columns);
  const places = { range: of(), sigma: of(), step: of(), stuck: of() };
  inBatches(flags.length, ({ from, to }) => {
    for (let i = from; i < to; i++) {
      const flag = flags[i]!;
      if (flag === 0) continue;
      // A mean may begin before the range.
      const c = Math.max(0, pixelColumn(timesMs[i]!, range, columns));
      for (const mark of MARKS) if (flag & MARK_BITS[mark]) places[mark][c]!++;
    }
  });
  return places;
}

function countFlags(flags: Uint8Array, { from, to }: Batch, byFlags: Uint32Array): void {
  for (let i = from; i < to; i++) if (flags[i] !== 0) byFlags[flags[i]!]!++;
}

function markRange(
  values: Float64Array,
  { from, to }: Batch,
  { min, max }: { readonly min: number; readonly max: number },
  flags: Uint8Array,
): void {
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (value < min || value > max) flags[i]! |= MARK_BITS.range;
  }
}

function markSigma(sigma: Float64Array, { from, to }: Batch, limit: number, flags: Uint8Array): void {
  for (let i = from; i < to; i++) if (sigma[i]! > limit) flags[i]! |= MARK_BITS.sigma;
}

/** The values marked after a step may be outside the batch. */
function markSteps(
  { timesMs, values }: ValueRows,
  { from, to }: Batch,
  { gapMinutes, stepMm, settleMinutes }: NonNullable<MarkSettings["step"]>,
  flags: Uint8Array,
): void {
  const gapMs = gapMinutes * MINUTE_MS;
  for (let i = Math.max(1, from); i < to; i++) {
    const timeMs = timesMs[i]!;
    if (timeMs - timesMs[i - 1]! < gapMs) continue;
    if (!(Math.abs(values[i]! - values[i - 1]!) > stepMm)) continue;
    const settled = lowerBound(timesMs, timeMs + settleMinutes * MINUTE_MS);
    markRows(flags, i, Math.max(i + 1, settled), MARK_BITS.step);
  }
}

/** @param stuck `since`: the first row with the value of the last one before the batch; then, of the last one in it */
function markStuck(
  { timesMs, values }: ValueRows,
  { from, to }: Batch,
  stuck: { readonly forMs: number; since: number },
  flags: Uint8Array,
): void {
  let { since } = stuck;
  for (let i = from; i < to; i++) {
    if (values[i] !== values[since]) since = i;
    const isLast = i + 1 === values.length || values[i + 1] !== values[since];
    if (!isLast || i - since + 1 < MIN_STUCK || timesMs[i]! - timesMs[since]! < stuck.forMs) continue;
    markRows(flags, since, i + 1, MARK_BITS.stuck);
  }
  stuck.since = since;
}

function markRows(flags: Uint8Array, from: number, to: number, bit: number): void {
  for (let i = from; i < to; i++) flags[i]! |= bit;
}
