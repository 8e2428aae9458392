import type { Coverage } from "#shared/series/rows.ts";
import { alignOutward, ceilToInterval, floorToInterval, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { difference, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";

interface RequestableOptions {
  /** Null requests every observation. */
  readonly intervalSeconds: number | null;
  /**
   * The server's clock, at its latest. A job reads it once, at its start: a job that grew while it ran would never end.
   */
  readonly nowMs: UtcMs;
  /** Both from the catalogue; a station with neither has never sent anything. */
  readonly historicDataFromMs: UtcMs | null;
  readonly dataLastUpdatedMs: UtcMs | null;
}

export interface MissingOptions extends RequestableOptions {
  /** Maximum age of a provisional response before it is requested again. Milliseconds. */
  readonly maxAgeMs: number;
  /** All possible times at the service, by which age is determined; `nowMs` alone by default. */
  readonly ageClocksMs?: readonly UtcMs[];
}

/**
 * Returns the part of a range that is worth a request: extended to whole intervals, without anything before the
 * station's first observation or after the server's present time. It includes the current interval: its mean so far is
 * useful, but never final (see `finalUntil`). Empty if no data can exist.
 */
export function requestableRange(requested: TimeRange, options: RequestableOptions): TimeRange {
  const { intervalSeconds, historicDataFromMs } = options;
  const nothing = { startMs: requested.startMs, endMs: requested.startMs };
  if (isEmpty(requested) || (historicDataFromMs === null && options.dataLastUpdatedMs === null)) return nothing;
  const whole = intervalSeconds === null ? requested : alignOutward(requested, intervalSeconds);
  const first = historicDataFromMs ?? whole.startMs;
  const startMs = Math.max(whole.startMs, intervalSeconds === null ? first : floorToInterval(first, intervalSeconds));
  const now = intervalSeconds === null ? options.nowMs : ceilToInterval(options.nowMs, intervalSeconds);
  return { startMs, endMs: Math.max(startMs, Math.min(whole.endMs, now)) };
}

/**
 * What must be requested to complete one series in the requested range: its requestable part, without what is final, and
 * without what is provisional and still young, including the time that has passed since. In an interval mode every
 * range consists of whole intervals, whatever the coverage, so that no mean is split.
 */
export function missingRanges(requested: TimeRange, coverage: Coverage, options: MissingOptions): RangeSet {
  const requestable = requestableRange(requested, options);
  if (isEmpty(requestable)) return [];
  const young = coverage.provisional
    .filter((p) => isYoung(p.fetchedAtMs, options.ageClocksMs ?? [options.nowMs], options.maxAgeMs))
    .map((p) => (isTail(p.range, requestable, options) ? { ...p.range, endMs: requestable.endMs } : p.range));
  const missing = difference([requestable], rangeSet([...coverage.final, ...young]));
  const { intervalSeconds } = options;
  return intervalSeconds === null ? missing : rangeSet(missing.map((r) => alignOutward(r, intervalSeconds)));
}

// The time since a young response that reached up to its own present is not requested yet: otherwise every query for the
// newest data would send a request for the last few seconds.
function isTail(range: TimeRange, requestable: TimeRange, options: MissingOptions): boolean {
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

interface FinalityFacts {
  /** Time of the station's latest measurement in the catalogue before the request, or null. */
  readonly dataLastUpdatedMs: UtcMs | null;
  /** The server's clock when it answered; null if it sent none. */
  readonly serverTimeMs: UtcMs | null;
  /** How long after its epoch an observation may still arrive or be revised. Milliseconds. */
  readonly settlingMs: number;
  readonly intervalSeconds: number | null;
}

/**
 * Returns until when a response is final: everything before is settled; everything after is provisional and requested
 * again once it has aged. The margin also counts from the last measurement: a station that is hours behind may still fill
 * gaps just before it. Never inside an interval, so an unfinished interval is never final. -Infinity if nothing is final.
 */
export function finalUntil(facts: FinalityFacts): UtcMs {
  if (facts.dataLastUpdatedMs === null || facts.serverTimeMs === null) return -Infinity;
  const settled = Math.min(facts.dataLastUpdatedMs, facts.serverTimeMs) - facts.settlingMs;
  return facts.intervalSeconds === null ? settled : floorToInterval(settled, facts.intervalSeconds);
}
