import type { ComparedSeries, Joined } from "./series.ts";

/** The largest distance of two rows that count as one epoch: half the finer step, so that no row is used twice. */
export function toleranceMs(a: ComparedSeries, b: ComparedSeries): number {
  return Math.min(a.stepMs, b.stepMs) / 2;
}

/**
 * Brings the epochs of two series together: of each row of the coarser one (of A where both are equally fine) the
 * nearest row of the other, at most half the finer step away; the later one where two are equally near.
 *
 * @param leavesOut whether epochs with a marked value are left out, and counted
 */
export function joinNearest(a: ComparedSeries, b: ComparedSeries, leavesOut: boolean): Joined {
  const isSwapped = b.stepMs > a.stepMs;
  const [base, other] = isSwapped ? [b, a] : [a, b];
  const halfMs = toleranceMs(a, b);
  const most = Math.min(base.timesMs.length, other.timesMs.length);
  const times = new Float64Array(most);
  const ofBase = new Float64Array(most);
  const ofOther = new Float64Array(most);
  let n = 0;
  let rejected = 0;
  let k = 0;
  for (let i = 0; i < base.timesMs.length && n < most; i++) {
    const timeMs = base.timesMs[i]!;
    // Half open: a row in the middle between two epochs belongs to the earlier one alone.
    while (k < other.timesMs.length && other.timesMs[k]! <= timeMs - halfMs) k++;
    while (
      k + 1 < other.timesMs.length &&
      Math.abs(other.timesMs[k + 1]! - timeMs) <= Math.abs(other.timesMs[k]! - timeMs)
    )
      k++;
    if (k >= other.timesMs.length) break;
    if (other.timesMs[k]! > timeMs + halfMs) continue;
    const isMarked = (base.flags !== null && base.flags[i]! > 0) || (other.flags !== null && other.flags[k]! > 0);
    if (leavesOut && isMarked) rejected++;
    else {
      times[n] = timeMs;
      ofBase[n] = base.values[i]!;
      ofOther[n] = other.values[k]!;
      n++;
    }
    k++;
  }
  const [first, second] = isSwapped ? [ofOther, ofBase] : [ofBase, ofOther];
  return { timesMs: times.subarray(0, n), a: first.subarray(0, n), b: second.subarray(0, n), rejected };
}
