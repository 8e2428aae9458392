import { isEmpty, type TimeRange } from "./range.ts";
import type { UtcMs } from "./utc.ts";

/**
 * A set of moments as half-open ranges: sorted, not empty, and neither overlapping nor touching. All functions here take
 * and return this form and do not change their arguments; `rangeSet` creates it from any ranges.
 */
export type RangeSet = readonly TimeRange[];

/** Sorts ranges, removes empty ones and merges ranges that overlap or touch. */
export function rangeSet(ranges: Iterable<TimeRange>): RangeSet {
  const sorted = [...ranges].filter((r) => !isEmpty(r)).toSorted((a, b) => a.startMs - b.startMs);
  const merged: TimeRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.startMs <= last.endMs) {
      if (range.endMs > last.endMs) merged[merged.length - 1] = { startMs: last.startMs, endMs: range.endMs };
    } else {
      merged.push({ startMs: range.startMs, endMs: range.endMs });
    }
  }
  return merged;
}

export function union(a: RangeSet, b: RangeSet): RangeSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return rangeSet([...a, ...b]);
}

/** Joins ranges that are less than `withinMs` apart. */
export function joinNear(ranges: Iterable<TimeRange>, withinMs: number): RangeSet {
  const joined: TimeRange[] = [];
  for (const { startMs, endMs } of rangeSet(ranges)) {
    const last = joined.at(-1);
    if (last && startMs - last.endMs < withinMs) joined[joined.length - 1] = { startMs: last.startMs, endMs };
    else joined.push({ startMs, endMs });
  }
  return joined;
}

export function intersect(a: RangeSet, b: RangeSet): RangeSet {
  const common: TimeRange[] = [];
  for (let i = 0, k = 0, [x, y] = [a[0], b[0]]; x && y; x = a[i], y = b[k]) {
    const startMs = Math.max(x.startMs, y.startMs);
    const endMs = Math.min(x.endMs, y.endMs);
    if (startMs < endMs) common.push({ startMs, endMs });
    if (x.endMs < y.endMs) i++;
    else k++;
  }
  return common;
}

/** Returns the moments of `a` that are not in `b`. */
export function difference(a: RangeSet, b: RangeSet): RangeSet {
  const left: TimeRange[] = [];
  let k = 0;
  for (const range of a) {
    let startMs = range.startMs;
    for (let other = b[k]; other && other.endMs <= startMs; other = b[k]) k++;
    for (let j = k, other = b[j]; other && other.startMs < range.endMs; other = b[++j]) {
      if (other.startMs > startMs) left.push({ startMs, endMs: other.startMs });
      startMs = Math.max(startMs, other.endMs);
    }
    if (startMs < range.endMs) left.push({ startMs, endMs: range.endMs });
  }
  return left;
}

export function includes(set: RangeSet, moment: UtcMs): boolean {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (set[middle]!.endMs <= moment) low = middle + 1;
    else high = middle;
  }
  const found = set[low];
  return found !== undefined && found.startMs <= moment;
}

/** Whether every moment of `range` is in the set; true for an empty range. */
export function covers(set: RangeSet, range: TimeRange): boolean {
  return isEmpty(range) || set.some((r) => r.startMs <= range.startMs && r.endMs >= range.endMs);
}

export function totalMs(set: RangeSet): number {
  return set.reduce((sum, r) => sum + (r.endMs - r.startMs), 0);
}

/** Returns the smallest range that contains the whole set, or null for the empty set. */
export function hull(set: RangeSet): TimeRange | null {
  const [first, last] = [set.at(0), set.at(-1)];
  return first && last ? { startMs: first.startMs, endMs: last.endMs } : null;
}
