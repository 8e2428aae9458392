import type { Coverage } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";

export interface SharedCoverage {
  readonly final: RangeSet;
  readonly provisional: RangeSet;
}

/**
 * Where all of some series are covered, cut to the range: final where all of them are, else provisional.
 *
 * @param coverages one for each series; undefined for one of which nothing is covered
 */
export function sharedCoverage(coverages: readonly (Coverage | undefined)[], range: TimeRange): SharedCoverage {
  let final: RangeSet = [range];
  let covered: RangeSet = [range];
  for (const coverage of coverages) {
    if (!coverage) return { final: [], provisional: [] };
    final = intersect(final, coverage.final);
    covered = intersect(covered, rangeSet([...coverage.final, ...coverage.provisional.map((p) => p.range)]));
  }
  return { final, provisional: difference(covered, final) };
}
