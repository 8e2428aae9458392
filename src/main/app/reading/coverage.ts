import type { CatalogueCoverage, StationCoverage } from "#shared/bridge/methods/catalogue.ts";
import type { SeriesMode, Coverage } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { totalMs, difference, intersect, type RangeSet } from "#shared/time/rangeset.ts";
import { answeredTime } from "../../analysis/requestedTimes.ts";
import type { CacheReader } from "../../store/index.ts";

/** The covered fraction of the range, for every station with any coverage. */
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

interface StripsQuery {
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
  readonly mode: SeriesMode;
}

/** The covered ranges of stations, in their order. */
export function readStrips(
  cache: Pick<CacheReader, "coveragesOf">,
  { stationIds, range, variables, mode }: StripsQuery,
): StationCoverage[] {
  const coverages = cache.coveragesOf(stationIds, variables, mode);
  return stationIds.map((stationId, i) => ({ stationId, ...sharedCoverage(coverages[i] ?? [], range) }));
}

interface SharedCoverage {
  readonly final: RangeSet;
  readonly provisional: RangeSet;
}

/**
 * The ranges in which all series are covered, cut to `range`: final if all of them are, else provisional.
 *
 * @param coverages one for each series; undefined for a series without coverage
 */
function sharedCoverage(coverages: readonly (Coverage | undefined)[], range: TimeRange): SharedCoverage {
  let final: RangeSet = [range];
  let covered: RangeSet = [range];
  for (const coverage of coverages) {
    if (!coverage) return { final: [], provisional: [] };
    final = intersect(final, coverage.final);
    covered = intersect(covered, answeredTime(coverage));
  }
  return { final, provisional: difference(covered, final) };
}
