import { type Mark, type MarkCounts, MARKS, type MarkSettings } from "#shared/bridge/compare.ts";

/** Bit of each mark. */
export const MARK_BITS: Readonly<Record<Mark, number>> = { range: 1, sigma: 2, step: 4, stuck: 8 };

const MINUTE_MS = 60_000;
/** Two equal values happen; three in a row for a long time are a value that does not move. */
const LEAST_STUCK = 3;

/**
 * Marks values that may be wrong. Nothing is removed.
 *
 * @param timesMs strictly ascending
 * @param values as long as the times, without NaN
 * @param sigma formal uncertainty of each value, NaN where it is not known; null where it is of none
 * @returns the bits of each value; null where none is marked
 */
export function markValues(
  timesMs: Float64Array,
  values: Float64Array,
  sigma: Float64Array | null,
  settings: MarkSettings,
): Uint8Array | null {
  if (Object.values(settings).every((limit) => limit === null)) return null;
  const flags = new Uint8Array(values.length);
  if (settings.range) markRange(values, settings.range, flags);
  if (settings.sigmaMm !== null && sigma) markSigma(sigma, settings.sigmaMm, flags);
  if (settings.step) markSteps(timesMs, values, settings.step, flags);
  if (settings.stuckMinutes !== null) markStuck(timesMs, values, settings.stuckMinutes * MINUTE_MS, flags);
  return isAllZero(flags) ? null : flags;
}

/** How many values carry each mark, and how many any. */
export function countMarks(flags: Uint8Array | null): { readonly counts: MarkCounts; readonly marked: number } {
  const counts = { range: 0, sigma: 0, step: 0, stuck: 0 };
  let marked = 0;
  for (const flag of flags ?? []) {
    if (flag === 0) continue;
    marked++;
    for (const mark of MARKS) if (flag & MARK_BITS[mark]) counts[mark]++;
  }
  return { counts, marked };
}

function markRange(values: Float64Array, { min, max }: { min: number; max: number }, flags: Uint8Array): void {
  for (let i = 0; i < values.length; i++) if (values[i]! < min || values[i]! > max) flags[i]! |= MARK_BITS.range;
}

function markSigma(sigma: Float64Array, limit: number, flags: Uint8Array): void {
  for (let i = 0; i < sigma.length; i++) if (sigma[i]! > limit) flags[i]! |= MARK_BITS.sigma;
}

function markSteps(
  timesMs: Float64Array,
  values: Float64Array,
  { gapMinutes, stepMm, settleMinutes }: NonNullable<MarkSettings["step"]>,
  flags: Uint8Array,
): void {
  for (let i = 1; i < values.length; i++) {
    if (timesMs[i]! - timesMs[i - 1]! < gapMinutes * MINUTE_MS) continue;
    if (!(Math.abs(values[i]! - values[i - 1]!) > stepMm)) continue;
    const untilMs = timesMs[i]! + settleMinutes * MINUTE_MS;
    for (let k = i; k === i || (k < values.length && timesMs[k]! < untilMs); k++) flags[k]! |= MARK_BITS.step;
  }
}

function markStuck(timesMs: Float64Array, values: Float64Array, forMs: number, flags: Uint8Array): void {
  for (let from = 0; from < values.length;) {
    let to = from + 1;
    while (to < values.length && values[to] === values[from]) to++;
    if (to - from >= LEAST_STUCK && timesMs[to - 1]! - timesMs[from]! >= forMs) {
      for (let k = from; k < to; k++) flags[k]! |= MARK_BITS.stuck;
    }
    from = to;
  }
}

function isAllZero(flags: Uint8Array): boolean {
  for (let i = 0; i < flags.length; i++) if (flags[i] !== 0) return false;
  return true;
}
