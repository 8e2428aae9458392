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
  const marksOfBase = leavesOut ? base.flags : null;
  const marksOfOther = leavesOut ? other.flags : null;
  const [baseMs, otherMs, halfMs] = [base.timesMs, other.timesMs, toleranceMs(a, b)];
  const most = Math.min(baseMs.length, otherMs.length);
  const times = new Float64Array(most);
  const ofBase = new Float64Array(most);
  const ofOther = new Float64Array(most);
  let n = 0;
  let rejected = 0;
  let k = 0;
  for (let i = 0; i < baseMs.length; i++) {
    const timeMs = baseMs[i]!;
    if (otherMs[k] !== timeMs) {
      k = nearestFrom(otherMs, k, timeMs, halfMs);
      if (k >= otherMs.length) break;
      if (otherMs[k]! > timeMs + halfMs) continue;
    }
    if ((marksOfBase !== null && marksOfBase[i]! > 0) || (marksOfOther !== null && marksOfOther[k]! > 0)) rejected++;
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

/** Half open: a row in the middle between two epochs belongs to the earlier one alone. */
function nearestFrom(timesMs: Float64Array, from: number, timeMs: number, halfMs: number): number {
  let k = from;
  while (k < timesMs.length && timesMs[k]! <= timeMs - halfMs) k++;
  while (k + 1 < timesMs.length && Math.abs(timesMs[k + 1]! - timeMs) <= Math.abs(timesMs[k]! - timeMs)) k++;
  return k;
}
