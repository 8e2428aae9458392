import type { PairedValues } from "#shared/comparison.ts";
import { BATCH_ROWS, type ComparedSeries } from "./series.ts";

/**
 * Rows of two series at common epochs. As stretches, not as rows: two stations with the same cadence have whole days in
 * common, and years of them need not be copied for a comparison.
 */
export interface Joined {
  readonly a: ComparedSeries;
  readonly b: ComparedSeries;
  /** For each stretch its first row of A, its first row of B, and its number of rows. */
  readonly stretches: Int32Array;
  /** Number of common epochs used. */
  readonly n: number;
  /** Number of common epochs left out because a value is flagged. */
  readonly flagged: number;
  /** The series whose times are those of the common epochs. */
  readonly epochsOf: "a" | "b";
}

/** Calls `visit` with the first row of A, the first row of B, and the number of rows of each stretch. */
export function eachStretch(stretches: Int32Array, visit: (ofA: number, ofB: number, length: number) => void): void {
  for (let s = 0; s < stretches.length; s += 3) visit(stretches[s]!, stretches[s + 1]!, stretches[s + 2]!);
}

/**
 * Joins each row of one series with the nearest row of the other within the tolerance; the earlier one if two are equally
 * near, unless it is used already. No row is used twice: a row that is nearest to two belongs to the nearer one.
 *
 * @param epochsOf the series whose rows are joined, each with a row of the other
 */
export function joinNearest(a: ComparedSeries, b: ComparedSeries, epochsOf: "a" | "b", toleranceMs: number): Joined {
  const [base, other] = epochsOf === "a" ? [a, b] : [b, a];
  const [baseMs, otherMs] = [base.timesMs, other.timesMs];
  const found = stretchList(base.flags, other.flags);
  /** The last pair, until a nearer row for its partner is excluded; -1: none. */
  const open = { i: -1, k: -1, apartMs: 0 };
  const close = (): void => {
    if (open.i >= 0) found.add(open.i, open.k, 1);
    open.i = -1;
  };
  /** The first row of the other series that is not before the row of the base. */
  let next = 0;
  for (let i = 0; i < baseMs.length;) {
    const timeMs = baseMs[i]!;
    while (next < otherMs.length && otherMs[next]! < timeMs) next++;
    if (otherMs[next] === timeMs) {
      if (open.k !== next) close();
      // This row and the following ones with identical times.
      const length = 1 + sameFrom(baseMs, i + 1, otherMs, next + 1);
      found.add(i, next, length);
      open.i = -1;
      i += length;
      open.k = next + length - 1;
      open.apartMs = 0;
      continue;
    }
    const beforeMs = next > 0 ? timeMs - otherMs[next - 1]! : Infinity;
    const afterMs = next < otherMs.length ? otherMs[next]! - timeMs : Infinity;
    const isBefore = beforeMs < afterMs || (beforeMs === afterMs && open.k !== next - 1);
    const [k, apartMs] = isBefore ? [next - 1, beforeMs] : [next, afterMs];
    if (apartMs <= toleranceMs && apartMs < Infinity && (k !== open.k || apartMs < open.apartMs)) {
      if (k !== open.k) close();
      open.i = i;
      open.k = k;
      open.apartMs = apartMs;
    }
    i++;
  }
  close();
  return { a, b, epochsOf, ...found.finish(epochsOf === "b") };
}

/** Counts consecutive rows with identical times, at most one batch. */
function sameFrom(aMs: Float64Array, ofA: number, bMs: Float64Array, ofB: number): number {
  const maxRows = Math.min(BATCH_ROWS, aMs.length - ofA, bMs.length - ofB);
  let n = 0;
  while (n < maxRows && aMs[ofA + n] === bMs[ofB + n]) n++;
  return n;
}

/** Copies the common rows. */
export function commonRows({ a, b, stretches, n, epochsOf }: Joined): PairedValues {
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

/** Collects stretches without the rows flagged in either series; merges adjacent ones. */
function stretchList(flagsOfBase: Uint8Array | null, flagsOfOther: Uint8Array | null) {
  const list: number[] = [];
  let n = 0;
  let flagged = 0;
  const keep = (ofBase: number, ofOther: number, length: number): void => {
    if (length === 0) return;
    n += length;
    const last = list.length - 3;
    const open = list[last + 2] ?? 0;
    if (open > 0 && ofBase === list[last]! + open && ofOther === list[last + 1]! + open) list[last + 2] = open + length;
    else list.push(ofBase, ofOther, length);
  };
  return {
    add(ofBase: number, ofOther: number, length: number): void {
      if (flagsOfBase === null && flagsOfOther === null) {
        keep(ofBase, ofOther, length);
        return;
      }
      let from = 0;
      for (let i = 0; i < length; i++) {
        if ((flagsOfBase?.[ofBase + i] ?? 0) === 0 && (flagsOfOther?.[ofOther + i] ?? 0) === 0) continue;
        keep(ofBase + from, ofOther + from, i - from);
        flagged++;
        from = i + 1;
      }
      keep(ofBase + from, ofOther + from, length - from);
    },
    finish(isSwapped: boolean): Pick<Joined, "stretches" | "n" | "flagged"> {
      const stretches = Int32Array.from(list);
      if (isSwapped)
        for (let s = 0; s < stretches.length; s += 3)
          [stretches[s], stretches[s + 1]] = [stretches[s + 1]!, stretches[s]!];
      return { stretches, n, flagged };
    },
  };
}
