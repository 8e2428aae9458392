import type { Variable } from "#shared/service/variables.ts";
import { alignInward, alignOutward } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import type { CacheReader } from "../store/types.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";

/**
 * The intervals of a range whose native rows were all asked and answered, for every one of the variables. Only these
 * have a mean: that of a part would pass for the whole. Before its first observation a station has nothing to ask for.
 */
export function wholeIntervals(
  cache: CacheReader,
  station: CatalogueStation,
  variables: readonly Variable[],
  range: TimeRange,
  intervalSeconds: number,
  raw: boolean,
): RangeSet {
  const asked = alignOutward(range, intervalSeconds);
  const beforeHistory = { startMs: asked.startMs, endMs: station.historicDataFromMs ?? asked.startMs };
  let covered: RangeSet = [asked];
  for (const variable of variables) {
    const coverage = cache.coverage(station.id, variable, { intervalSeconds: null, raw });
    const known = [beforeHistory, ...coverage.final, ...coverage.provisional.map((p) => p.range)];
    covered = intersect(covered, rangeSet(known));
  }
  return rangeSet(covered.map((r) => alignInward(r, intervalSeconds)));
}
