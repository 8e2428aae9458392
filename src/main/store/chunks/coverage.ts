import type { Coverage, ProvisionalExtent } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, intersect, type RangeSet, rangeSet, union } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Provisional extents that were fetched within this time of each other have the same age. */
const SAME_AGE_MS = 60_000;

export const NO_COVERAGE: Coverage = { final: [], provisional: [] };

/** A range that was requested and answered. */
export interface Extent extends TimeRange {
  /** null: final. */
  readonly fetchedAtMs: UtcMs | null;
}

/**
 * Returns the coverage with that of one more response. Final data stay final: a later response that knew less does not
 * make them provisional again. Of overlapping provisional extents, the added one counts.
 */
export function addCoverage(before: Coverage, added: Coverage): Coverage {
  const final = union(rangeSet(before.final), rangeSet(added.final));
  const fresh = added.provisional.flatMap((part) => subtract(part, final));
  const hidden = union(final, rangeSet(fresh.map(({ range }) => range)));
  const kept = before.provisional.flatMap((old) => subtract(old, hidden));
  return { final, provisional: merge([...kept, ...fresh]) };
}

/** Returns the coverage within a range. */
export function clipCoverage({ final, provisional }: Coverage, range: TimeRange): Coverage {
  return {
    final: intersect(rangeSet(final), rangeSet([range])),
    provisional: provisional.flatMap(({ range: own, fetchedAtMs }) =>
      intersect([own], rangeSet([range])).map((part) => ({ range: part, fetchedAtMs })),
    ),
  };
}

function subtract(extent: ProvisionalExtent, without: RangeSet): ProvisionalExtent[] {
  return difference([extent.range], without).map((range) => ({ range, fetchedAtMs: extent.fetchedAtMs }));
}

/** Joins adjacent extents of about the same age; the result is as old as the older of the two. */
function merge(extents: readonly ProvisionalExtent[]): ProvisionalExtent[] {
  const merged: ProvisionalExtent[] = [];
  for (const next of extents.toSorted((a, b) => a.range.startMs - b.range.startMs)) {
    const last = merged.at(-1);
    if (
      last &&
      last.range.endMs === next.range.startMs &&
      Math.abs(last.fetchedAtMs - next.fetchedAtMs) <= SAME_AGE_MS
    ) {
      merged[merged.length - 1] = {
        range: { startMs: last.range.startMs, endMs: next.range.endMs },
        fetchedAtMs: Math.min(last.fetchedAtMs, next.fetchedAtMs),
      };
    } else {
      merged.push(next);
    }
  }
  return merged;
}

export function extentsOf({ final, provisional }: Coverage): Extent[] {
  return [
    ...final.map((range) => ({ ...range, fetchedAtMs: null })),
    ...provisional.map(({ range, fetchedAtMs }) => ({ ...range, fetchedAtMs })),
  ];
}

/** Returns the coverage of ascending extents, with adjacent ones joined. */
export function joinExtents(extents: readonly Extent[]): Coverage {
  const provisional = extents.flatMap(({ startMs, endMs, fetchedAtMs }) =>
    fetchedAtMs === null ? [] : [{ range: { startMs, endMs }, fetchedAtMs }],
  );
  return {
    final: rangeSet(extents.filter(({ fetchedAtMs }) => fetchedAtMs === null)),
    provisional: merge(provisional),
  };
}
