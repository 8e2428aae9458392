import type { Coverage } from "#shared/series/rows.ts";
import { alignOutward, ceilToInterval, floorToInterval, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";

interface RequestableOptions {
  /** Null requests every observation. */
  readonly intervalSeconds: number | null;
  /**
   * The server's clock, at its latest. A job reads it once, at its start: a job that grew while it ran would never end.
   */
  readonly nowMs: UtcMs;
  /** From the catalogue: the first measurement, null if unknown, and whether it states that there is none. */
  readonly historicDataFromMs: UtcMs | null;
  readonly hasNeverSent: boolean;
}

export interface OpenOptions extends RequestableOptions {
  /** Age at which an unconfirmed absence is asked for again. Milliseconds. */
  readonly maxAgeMs: number;
  /** All possible times at the service, by which age is determined; `nowMs` alone by default. */
  readonly ageClocksMs?: readonly UtcMs[];
}

/** What a job has to ask for one series. */
interface OpenRanges {
  /** Not requested yet, or means that may have changed: requested as they are. */
  readonly missing: RangeSet;
  /** Absences that one response showed, and that a second one has to confirm. */
  readonly unconfirmed: RangeSet;
}

/**
 * Returns the part of a range that is worth a request: extended to whole intervals, without anything before the
 * station's first observation or after the server's present time. It includes the current interval: its mean so far is
 * useful, but never final. Empty if no data can exist.
 */
export function requestableRange(requested: TimeRange, options: RequestableOptions): TimeRange {
  const { intervalSeconds, historicDataFromMs } = options;
  const nothing = { startMs: requested.startMs, endMs: requested.startMs };
  if (isEmpty(requested) || options.hasNeverSent) return nothing;
  const whole = intervalSeconds === null ? requested : alignOutward(requested, intervalSeconds);
  const first = historicDataFromMs ?? whole.startMs;
  const startMs = Math.max(whole.startMs, intervalSeconds === null ? first : floorToInterval(first, intervalSeconds));
  const now = intervalSeconds === null ? options.nowMs : ceilToInterval(options.nowMs, intervalSeconds);
  return { startMs, endMs: Math.max(startMs, Math.min(whole.endMs, now)) };
}

/** An absence this long that touches a missing range is asked for by itself: means of it may be cheaper. */
const MAX_JOINED_MS = DAY_MS;

/**
 * Returns what must be requested to complete one series in the requested range, without what is final, and without what
 * is provisional and still young, including the time that has passed since. In an interval mode every range consists of
 * whole intervals, whatever the coverage, so that no mean is split.
 */
export function openRanges(requested: TimeRange, coverage: Coverage, options: OpenOptions): OpenRanges {
  const requestable = requestableRange(requested, options);
  if (isEmpty(requestable)) return { missing: [], unconfirmed: [] };
  const clocks = options.ageClocksMs ?? [options.nowMs];
  const young: TimeRange[] = [];
  const aged: TimeRange[] = [];
  for (const { range, fetchedAtMs } of coverage.provisional) {
    if (!isYoung(fetchedAtMs, clocks, options.maxAgeMs)) aged.push(range);
    else young.push(isTail(range, requestable, options) ? { ...range, endMs: requestable.endMs } : range);
  }
  const settled = rangeSet([...coverage.final, ...young]);
  const old = difference(intersect([requestable], rangeSet(aged)), settled);
  const unanswered = difference([requestable], union(settled, old));
  const { intervalSeconds } = options;
  const isAgain = (range: TimeRange): boolean =>
    range.endMs - range.startMs <= MAX_JOINED_MS &&
    unanswered.some((part) => part.startMs === range.endMs || part.endMs === range.startMs);
  // Means are asked for as they are: those of recent intervals may have changed.
  const again = intervalSeconds === null ? old.filter(isAgain) : old;
  const missing = union(unanswered, again);
  const unconfirmed = difference(old, missing);
  if (intervalSeconds === null) return { missing, unconfirmed };
  const whole = (ranges: RangeSet): RangeSet => rangeSet(ranges.map((r) => alignOutward(r, intervalSeconds)));
  return { missing: whole(missing), unconfirmed: whole(unconfirmed) };
}

// The time since a young response that reached up to its own present is not requested yet: otherwise every query for the
// newest data would send a request for the last few seconds.
function isTail(range: TimeRange, requestable: TimeRange, options: OpenOptions): boolean {
  const sinceMs = requestable.endMs - range.endMs;
  return sinceMs > 0 && sinceMs < options.maxAgeMs && requestable.endMs >= options.nowMs;
}

/**
 * Whether a response is young, by each possible time at the service. A response from the future (after a clock was set
 * back, or with two servers that disagree by a second) is young only while the difference is small: otherwise a wrong
 * clock would keep an old response alive for ever.
 */
export function isYoung(fetchedAtMs: UtcMs, readingsMs: readonly UtcMs[], maxAgeMs: number): boolean {
  return readingsMs.every((nowMs) => Math.abs(nowMs - fetchedAtMs) < maxAgeMs);
}
