import type { Coverage, ProvisionalExtent } from "#shared/series/rows.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, type RangeSet, rangeSet, union } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Provisional answers that came within this time of each other age as one. */
const SAME_AGE_MS = 60_000;

export const NO_COVERAGE: Coverage = { final: [], provisional: [] };

export interface AnsweredRange {
  readonly range: TimeRange;
  /** Moments before are final, the rest is provisional. */
  readonly finalUntilMs: UtcMs;
  readonly fetchedAtMs: UtcMs;
}

/**
 * What is covered after one more answer. Final wins over provisional, whichever came first: settled rows do not become
 * unsettled because a later answer knew less. Among provisional ones the newest counts.
 */
export function addAnswer(before: Coverage, answer: AnsweredRange): Coverage {
  return addCoverage(before, coverageOf(answer));
}

/** The coverage that one answer gives by itself. */
export function coverageOf({ range, finalUntilMs, fetchedAtMs }: AnsweredRange): Coverage {
  const cutMs = Math.min(range.endMs, Math.max(range.startMs, finalUntilMs));
  return {
    final: rangeSet([{ startMs: range.startMs, endMs: cutMs }]),
    provisional: rangeSet([{ startMs: cutMs, endMs: range.endMs }]).map((part) => ({ range: part, fetchedAtMs })),
  };
}

/** The same where the new answer has a coverage of its own. */
export function addCoverage(before: Coverage, added: Coverage): Coverage {
  const final = union(rangeSet(before.final), rangeSet(added.final));
  const fresh = added.provisional.flatMap((part) => pieces(part, final));
  const hidden = union(final, rangeSet(fresh.map(({ range }) => range)));
  const kept = before.provisional.flatMap((old) => pieces(old, hidden));
  return { final, provisional: merge([...kept, ...fresh]) };
}

/** What is covered after the range was forgotten. */
export function removeRange(before: Coverage, range: TimeRange): Coverage {
  const gone = rangeSet([range]);
  return {
    final: difference(rangeSet(before.final), gone),
    provisional: before.provisional.flatMap((old) => pieces(old, gone)),
  };
}

function pieces(extent: ProvisionalExtent, without: RangeSet): ProvisionalExtent[] {
  if (isEmpty(extent.range)) return [];
  return difference([extent.range], without).map((range) => ({ range, fetchedAtMs: extent.fetchedAtMs }));
}

/** Touching extents of about the same age become one, as old as the oldest of them. */
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
