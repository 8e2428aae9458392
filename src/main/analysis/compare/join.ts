import { BATCH_ROWS, eachStretch, type ComparedSeries, type Joined } from "./series.ts";

/** Maximum time between two rows of one epoch: half the finer step, so that no row is used twice. */
export function toleranceMs(a: ComparedSeries, b: ComparedSeries): number {
  return Math.min(a.stepMs, b.stepMs) / 2;
}

/**
 * Joins two series by epoch: each row of the coarser one (A if both have the same step) with the nearest row of the other,
 * at most half the finer step away; the earlier one if two are equally near, as the service does. No row is used twice.
 *
 * @param omitsMarked whether epochs with a marked value are omitted, and counted
 */
export function joinNearest(a: ComparedSeries, b: ComparedSeries, omitsMarked: boolean): Joined {
  const isSwapped = b.stepMs > a.stepMs;
  const [base, other] = isSwapped ? [b, a] : [a, b];
  const [baseMs, otherMs, halfMs] = [base.timesMs, other.timesMs, toleranceMs(a, b)];
  const found = stretchList(omitsMarked ? base.flags : null, omitsMarked ? other.flags : null, isSwapped);
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
    // This row and the following ones with identical times.
    const length = 1 + sameFrom(baseMs, i + 1, otherMs, k + 1);
    found.add(i, k, length);
    i += length;
    k += length;
  }
  return { ...found.finish(), epochsOf: isSwapped ? "b" : "a" };
}

/** Counts consecutive rows with identical times, at most one batch. */
function sameFrom(aMs: Float64Array, ofA: number, bMs: Float64Array, ofB: number): number {
  const maxRows = Math.min(BATCH_ROWS, aMs.length - ofA, bMs.length - ofB);
  let n = 0;
  while (n < maxRows && aMs[ofA + n] === bMs[ofB + n]) n++;
  return n;
}

/** Copies the common rows. */
export function commonRows(
  a: Pick<ComparedSeries, "timesMs" | "values">,
  b: Pick<ComparedSeries, "timesMs" | "values">,
  { stretches, n, epochsOf }: Joined,
): { readonly timesMs: Float64Array; readonly a: Float64Array; readonly b: Float64Array } {
  const rows = { timesMs: new Float64Array(n), a: new Float64Array(n), b: new Float64Array(n) };
  let at = 0;
  eachStretch(stretches, (ofA, ofB, length) => {
    rows.a.set(a.values.subarray(ofA, ofA + length), at);
    rows.b.set(b.values.subarray(ofB, ofB + length), at);
    const [times, first] = epochsOf === "a" ? [a.timesMs, ofA] : [b.timesMs, ofB];
    rows.timesMs.set(times.subarray(first, first + length), at);
    at += length;
  });
  return rows;
}

/** The nearest row from an index on, which excludes used rows; the earlier of two. */
function nearestFrom(timesMs: Float64Array, from: number, timeMs: number, halfMs: number): number {
  let k = from;
  while (k < timesMs.length && timesMs[k]! < timeMs - halfMs) k++;
  while (k + 1 < timesMs.length && Math.abs(timesMs[k + 1]! - timeMs) < Math.abs(timesMs[k]! - timeMs)) k++;
  return k;
}

/**
 * Collects stretches without the rows marked in either series; merges adjacent ones.
 *
 * @param isSwapped whether B is the base
 */
function stretchList(marksOfBase: Uint8Array | null, marksOfOther: Uint8Array | null, isSwapped: boolean) {
  const list: number[] = [];
  /** The last stretch, which the next rows may continue. */
  const open = { ofBase: 0, ofOther: 0, length: 0 };
  let n = 0;
  let rejected = 0;
  const close = (): void => {
    const { ofBase, ofOther, length } = open;
    if (length === 0) return;
    if (isSwapped) list.push(ofOther, ofBase, length);
    else list.push(ofBase, ofOther, length);
  };
  const keep = (ofBase: number, ofOther: number, length: number): void => {
    if (length === 0) return;
    n += length;
    if (ofBase === open.ofBase + open.length && ofOther === open.ofOther + open.length) {
      open.length += length;
      return;
    }
    close();
    open.ofBase = ofBase;
    open.ofOther = ofOther;
    open.length = length;
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
          (marksOfBase !== null && marksOfBase[ofBase + i] !== 0) ||
          (marksOfOther !== null && marksOfOther[ofOther + i] !== 0);
        if (!isMarked) continue;
        keep(ofBase + from, ofOther + from, i - from);
        rejected++;
        from = i + 1;
      }
      keep(ofBase + from, ofOther + from, length - from);
    },
    finish(): Omit<Joined, "epochsOf"> {
      close();
      return { stretches: new Int32Array(list), n, rejected };
    },
  };
}
