import type { Variable } from "#shared/service/variables.ts";
import { alignInward, alignOutward, type TimeRange } from "#shared/time/range.ts";
import { includes, intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import type { CacheReader } from "../store/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";

/** Whole intervals, and the variables that have means in all of them. */
interface WholePart {
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
}

/**
 * Returns the intervals of a range whose native rows of a variable are completely covered. Only these have a mean: that
 * of a part must not pass for the whole. Before its first observation, a station counts as covered.
 */
export function wholeIntervals(
  cache: CacheReader,
  station: CatalogueStation,
  variable: Variable,
  range: TimeRange,
  intervalSeconds: number,
  raw: boolean,
): RangeSet {
  const whole = alignOutward(range, intervalSeconds);
  const beforeHistory = { startMs: whole.startMs, endMs: station.historicDataFromMs ?? whole.startMs };
  const coverage = cache.coverage(station.id, variable, { intervalSeconds: null, raw });
  const known = rangeSet([beforeHistory, ...answeredTime(coverage)]);
  return rangeSet(intersect([whole], known).map((r) => alignInward(r, intervalSeconds)));
}

/**
 * Divides a range into parts, in order of time, by the variables whose intervals are completely covered. A mean depends
 * on the values of its own variable alone, so missing data of one variable must not remove the means of the others.
 * Intervals without any are left out.
 */
export function wholeParts(
  cache: CacheReader,
  station: CatalogueStation,
  variables: readonly Variable[],
  range: TimeRange,
  intervalSeconds: number,
  raw: boolean,
): WholePart[] {
  const covered = variables.map(
    (variable) => [variable, wholeIntervals(cache, station, variable, range, intervalSeconds, raw)] as const,
  );
  const ends = new Set(covered.flatMap(([, set]) => set.flatMap(({ startMs, endMs }) => [startMs, endMs])));
  const cuts = Float64Array.from(ends).toSorted();
  const parts: WholePart[] = [];
  for (const [i, endMs] of cuts.subarray(1).entries()) {
    const startMs = cuts[i] ?? endMs;
    const present = covered.flatMap(([variable, set]) => (includes(set, startMs) ? [variable] : []));
    if (present.length > 0) parts.push({ range: { startMs, endMs }, variables: present });
  }
  return parts;
}
