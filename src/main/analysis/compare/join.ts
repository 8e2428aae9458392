import { PIECE, type ComparedSeries, type Joined } from "./series.ts";

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
  const [baseMs, otherMs, halfMs] = [base.timesMs, other.timesMs, toleranceMs(a, b)];
  const found = stretchList(leavesOut ? base.flags : null, leavesOut ? other.flags : null);
  let i = 0;
  let k = 0;
  while (i < baseMs.length) {
    const timeMs = baseMs[i]!;
    if (otherMs[k] !== timeMs) {
      k = nearestFrom(otherMs, k, timeMs, halfMs);
      if (k >= otherMs.length) break;
      if (otherMs[k]! > timeMs + halfMs) {
        i++;
        continue;
      }
    }
    // This row and those behind it that have the very same times.
    const length = 1 + sameFrom(baseMs, i + 1, otherMs, k + 1);
    found.add(i, k, length);
    i += length;
    k += length;
  }
  return { ...found.finish(isSwapped), epochsOf: isSwapped ? "b" : "a" };
}

/** How many rows follow each other at the same times, as far as a piece goes. */
function sameFrom(aMs: Float64Array, ofA: number, bMs: Float64Array, ofB: number): number {
  const most = Math.min(PIECE, aMs.length - ofA, bMs.length - ofB);
  let n = 0;
  while (n < most && aMs[ofA + n] === bMs[ofB + n]) n++;
  return n;
}

/** The common rows one by one. */
export function commonRows(
  a: Pick<ComparedSeries, "timesMs" | "values">,
  b: Pick<ComparedSeries, "timesMs" | "values">,
  { stretches, n, epochsOf }: Joined,
): { readonly timesMs: Float64Array; readonly a: Float64Array; readonly b: Float64Array } {
  const rows = { timesMs: new Float64Array(n), a: new Float64Array(n), b: new Float64Array(n) };
  let at = 0;
  for (let s = 0; s < stretches.length; s += 3) {
    const [ofA, ofB, length] = [stretches[s]!, stretches[s + 1]!, stretches[s + 2]!];
    rows.a.set(a.values.subarray(ofA, ofA + length), at);
    rows.b.set(b.values.subarray(ofB, ofB + length), at);
    const [times, first] = epochsOf === "a" ? [a.timesMs, ofA] : [b.timesMs, ofB];
    rows.timesMs.set(times.subarray(first, first + length), at);
    at += length;
  }
  return rows;
}

/** Half open: a row in the middle between two epochs belongs to the earlier one alone. */
function nearestFrom(timesMs: Float64Array, from: number, timeMs: number, halfMs: number): number {
  let k = from;
  while (k < timesMs.length && timesMs[k]! <= timeMs - halfMs) k++;
  while (k + 1 < timesMs.length && Math.abs(timesMs[k + 1]! - timeMs) <= Math.abs(timesMs[k]! - timeMs)) k++;
  return k;
}

/** Collects stretches without the rows that are marked in either series; neighbours become one. */
function stretchList(marksOfBase: Uint8Array | null, marksOfOther: Uint8Array | null) {
  const list: number[] = [];
  /** Where the last stretch would go on. */
  const behind = { base: -1, other: -1 };
  let n = 0;
  let rejected = 0;
  const keep = (ofBase: number, ofOther: number, length: number): void => {
    if (length === 0) return;
    n += length;
    const goesOn = behind.base === ofBase && behind.other === ofOther;
    if (goesOn) list[list.length - 1]! += length;
    else list.push(ofBase, ofOther, length);
    behind.base = ofBase + length;
    behind.other = ofOther + length;
  };
  return {
    add(ofBase: number, ofOther: number, length: number): void {
      if (marksOfBase === null && marksOfOther === null) {
        keep(ofBase, ofOther, length);
        return;
      }
      let from = 0;
      for (let i = 0; i < length; i++) {
        const isMarked =
          (marksOfBase !== null && marksOfBase[ofBase + i]! > 0) ||
          (marksOfOther !== null && marksOfOther[ofOther + i]! > 0);
        if (!isMarked) continue;
        keep(ofBase + from, ofOther + from, i - from);
        rejected++;
        from = i + 1;
      }
      keep(ofBase + from, ofOther + from, length - from);
    },
    finish(isSwapped: boolean): Omit<Joined, "epochsOf"> {
      const stretches = new Int32Array(list);
      if (isSwapped) {
        for (let s = 0; s < stretches.length; s += 3) {
          stretches[s] = list[s + 1]!;
          stretches[s + 1] = list[s]!;
        }
      }
      return { stretches, n, rejected };
    },
  };
}
