import type { CatalogueCoverage, StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs } from "#shared/time/rangeset.ts";
import { sharedCoverage } from "../../analysis/coverage.ts";
import type { CacheReader } from "../../store/types.ts";

/** How much of the range is covered, for every station of which anything is. */
export function readCatalogueCoverage(
  cache: CacheReader,
  range: TimeRange,
  variables: readonly Variable[],
  mode: SeriesMode,
): CatalogueCoverage {
  const found = [...cache.coverages(mode, variables, range)];
  const share = Float64Array.from(found, ([, coverages]) => {
    const { final, provisional } = sharedCoverage(
      variables.map((v) => coverages[v]),
      range,
    );
    return (totalMs(final) + totalMs(provisional)) / durationMs(range);
  });
  return { stationIds: found.map(([stationId]) => stationId), share };
}

/** The covered ranges of some stations, in their order. */
export function readStrips(
  cache: CacheReader,
  stationIds: readonly string[],
  range: TimeRange,
  variables: readonly Variable[],
  mode: SeriesMode,
): StationCoverage[] {
  const coverages = cache.coveragesOf(stationIds, variables, mode);
  return stationIds.map((stationId, i) => ({ stationId, ...sharedCoverage(coverages[i]!, range) }));
}
