import type { Variable } from "#shared/service/variables.ts";
import { alignInward, alignOutward } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import type { CacheReader } from "../store/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";

/**
 * Returns the intervals of a range whose native rows are completely covered, for every one of the variables. Only these
 * have a mean: that of a part must not pass for the whole. Before its first observation, a station counts as covered.
 */
export function wholeIntervals(
  cache: CacheReader,
  station: CatalogueStation,
  variables: readonly Variable[],
  range: TimeRange,
  intervalSeconds: number,
  raw: boolean,
): RangeSet {
  const whole = alignOutward(range, intervalSeconds);
  const beforeHistory = { startMs: whole.startMs, endMs: station.historicDataFromMs ?? whole.startMs };
  let covered: RangeSet = [whole];
  for (const variable of variables) {
    const coverage = cache.coverage(station.id, variable, { intervalSeconds: null, raw });
    const known = [beforeHistory, ...coverage.final, ...coverage.provisional.map((p) => p.range)];
    covered = intersect(covered, rangeSet(known));
  }
  return rangeSet(covered.map((r) => alignInward(r, intervalSeconds)));
}
