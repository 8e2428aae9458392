import type { Coverage, ProvisionalExtent } from "#shared/series/rows.ts";
import { durationMs, floorToInterval, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, joinNear, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import type { Runs } from "#shared/time/runs.ts";
import { HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import { gapsBetween } from "./gaps.ts";
import { epochsOf } from "./requestedTimes.ts";

// A response proves what it contains, and nothing about what it lacks: a shortened, thinned or late response looks like
// one of a station that sent less. So an absence is unconfirmed until a later response to another request agrees. Only
// short absences among old, dense values are believed at once: no known service leaves out single epochs of old data.

/** An absence of this length may be that of a shortened response. */
const LONG_MS = HOUR_MS;
/** A response with a smaller share of the expected values may be thinned. */
export const DENSE = 0.9;

/** What one response shows of one series. */
interface Answer {
  /** The requested range, without times at which the station cannot have sent. */
  readonly range: TimeRange;
  /** Times of the values, ascending. */
  readonly times: Runs;
  /** Seconds between two values without a gap. */
  readonly stepSeconds: number;
  /** Values before this time no longer arrive late. */
  readonly oldUntilMs: UtcMs;
  /** Whether the response has rows that could not be used, or reports that it lacks some. */
  readonly hasLosses: boolean;
}

/** Returns the ranges whose absences a response leaves open. Values inside of them are present nevertheless. */
function openAbsences({ range, times, stepSeconds, oldUntilMs, hasLosses }: Answer): RangeSet {
  const absent = gapsBetween(times, range, stepSeconds);
  const stepMs = stepSeconds * 1_000;
  const isShort = (gap: TimeRange): boolean =>
    durationMs(gap) < LONG_MS && gap.startMs >= range.startMs + stepMs && gap.endMs < range.endMs;
  const short = absent.filter(isShort);
  const long = absent.filter((gap) => !isShort(gap));
  const expected = epochsOf(difference([range], long), stepSeconds);
  // Thousands of short absences are one open range.
  if (epochsOf(short, stepSeconds) > (1 - DENSE) * expected) return [range];
  // Each range is asked for alone, and costs a row in the cache.
  return joinNear([...long, ...short.filter(({ endMs }) => hasLosses || endMs > oldUntilMs)], LONG_MS);
}

interface Judgement extends Answer {
  readonly intervalSeconds: number | null;
  /** The time of the response. */
  readonly nowMs: UtcMs;
  /** Whether an earlier response is old enough for this one to confirm it. */
  readonly isOldEnough: (fetchedAtMs: UtcMs) => boolean;
  /** Whether an earlier response is so old that this one was due. */
  readonly isDue: (fetchedAtMs: UtcMs) => boolean;
  /** Whether the response may confirm absences. */
  readonly mayConfirm: boolean;
  /** Whether it has any value, of whichever station. One without says nothing: absences keep their age. */
  readonly hasValues: boolean;
}

/**
 * Returns the coverage within the range of a response, given the coverage before. Values are final at once, except means
 * of recent intervals; absences become final when a second response confirms them.
 */
export function judgeAnswer(judgement: Judgement, before: Coverage): Coverage {
  const { range, intervalSeconds, oldUntilMs, nowMs, isOldEnough, isDue, mayConfirm, hasValues } = judgement;
  if (isEmpty(range)) return { final: [], provisional: [] };
  const absent = openAbsences(judgement);
  const recent = intervalSeconds === null ? [] : after(range, floorToInterval(oldUntilMs, intervalSeconds));
  const stillOpen = (parts: RangeSet): ProvisionalExtent[] =>
    before.provisional.flatMap((old) =>
      intersect([old.range], parts).map((part) => ({ range: part, fetchedAtMs: old.fetchedAtMs })),
    );
  const earlier = stillOpen(absent);
  // Less than a step before the first value, where the request begins, says nothing: no epoch need lie in it.
  const unseen = stillOpen(difference(beforeFirst(judgement), absent));
  const old = rangeSet(earlier.filter(({ fetchedAtMs }) => isOldEnough(fetchedAtMs)).map((part) => part.range));
  const beforeRecent = [{ startMs: range.startMs, endMs: oldUntilMs }];
  const settled = mayConfirm ? difference(intersect(old, beforeRecent), recent) : [];
  // A young absence keeps its age: other requests for its time must not postpone the decision.
  const kept = earlier.flatMap((part) => {
    if (part.fetchedAtMs > nowMs || (isOldEnough(part.fetchedAtMs) && hasValues)) return [];
    const parts = isDue(part.fetchedAtMs) ? intersect([part.range], beforeRecent) : [part.range];
    return parts.map((own) => ({ ...part, range: own }));
  });
  const open = difference(union(absent, recent), rangeSet([...settled, ...kept.map((part) => part.range)]));
  const provisional = [
    ...unseen,
    ...kept.map((part) => ({ ...part, fetchedAtMs: Math.floor(part.fetchedAtMs) })),
    ...open.map((part): ProvisionalExtent => ({ range: part, fetchedAtMs: Math.floor(nowMs) })),
  ].toSorted((a, b) => a.range.startMs - b.range.startMs);
  return { final: difference([range], rangeSet(provisional.map((part) => part.range))), provisional };
}

function beforeFirst({ range, times }: Answer): RangeSet {
  const [first] = times.list;
  return first ? rangeSet([{ startMs: range.startMs, endMs: Math.max(range.startMs, first.startMs) }]) : [];
}

function after(range: TimeRange, momentMs: UtcMs): RangeSet {
  return rangeSet([{ startMs: Math.max(range.startMs, momentMs), endMs: range.endMs }]);
}
