import type { Convergence } from "#shared/series/gap.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { lowerBound } from "#shared/arrays.ts";
import { percentilesOf } from "./sorting.ts";

/** How long after a gap convergence is searched for: a solution takes 20 to 40 minutes to converge, poor ones longer. */
export const CONVERGENCE_MS = 2 * HOUR_MS;
const MAX_MS = 90 * MINUTE_MS;
const MIN_MS = 5 * MINUTE_MS;

const MIN_ROWS = 24;
/** Minimum initial uncertainty, as a multiple of the settled one: less is noise or weather. */
const MIN_START_RATIO = 2;
/** The solution has settled when no more than this fraction of the excess is left. */
const SETTLED_FRACTION = 0.1;
const HEAD_ROWS = 3;
const BLOCKS = 6;

/**
 * Suggests, without proof, that a solution converged again from a moment on: its uncertainty begins high and decays
 * steadily to a constant level. Interference has no such decay.
 *
 * @param timesMs ascending, with the uncertainty of each in mm; rows without one must be omitted
 * @param fromMs where the solution may have started: a gap ended here, or values began to fail the quality filter
 * @returns null if nothing suggests it
 */
export function possibleConvergence(timesMs: Float64Array, sigmaMm: Float64Array, fromMs: number): Convergence | null {
  const from = lowerBound(timesMs, fromMs);
  const to = lowerBound(timesMs, fromMs + CONVERGENCE_MS);
  if (to - from < MIN_ROWS) return null;
  const sigma = sigmaMm.subarray(from, to);
  const head = median(sigma.subarray(0, HEAD_ROWS));
  const settled = median(sigma.subarray(Math.floor((2 * sigma.length) / 3)));
  if (!(head >= MIN_START_RATIO * settled)) return null;
  const end = settledFrom(sigma, settled + SETTLED_FRACTION * (head - settled));
  const startMs = timesMs[from]!;
  const endMs = timesMs[from + end]!;
  const lengthMs = endMs - startMs;
  if (end < BLOCKS || lengthMs < MIN_MS || lengthMs > MAX_MS) return null;
  if (!isDecay(sigma.subarray(0, end))) return null;
  return { range: { startMs, endMs }, fromMm: head, toMm: settled };
}

/** Returns the first row from which on the median of five is at the level. */
function settledFrom(sigma: Float64Array, level: number): number {
  let i = 0;
  while (i + 5 <= sigma.length && median(sigma.subarray(i, i + 5)) > level) i++;
  return i;
}

/** Whether each block is below the one before it; one exception is allowed for noise. */
function isDecay(sigma: Float64Array): boolean {
  const blocks = Array.from({ length: BLOCKS }, (_, b) =>
    median(sigma.subarray(Math.floor((b * sigma.length) / BLOCKS), Math.floor(((b + 1) * sigma.length) / BLOCKS))),
  );
  let rises = 0;
  let before = Infinity;
  for (const value of blocks) {
    if (value >= before) rises++;
    before = value;
  }
  return rises <= 1 && blocks[0] === Math.max(...blocks);
}

function median(values: Float64Array): number {
  return percentilesOf(values.slice())(0.5);
}
