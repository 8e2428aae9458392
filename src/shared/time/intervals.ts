import { CalendarDateTime, fromAbsolute, toCalendarDateTime, toZoned } from "@internationalized/date";
import type { TimeRange } from "./range.ts";
import type { UtcMs } from "./utc.ts";

/** The intervals that means are computed over. */
export interface MeanIntervals {
  /** Start of the interval that contains a time. */
  startOf(timeMs: UtcMs): UtcMs;
  /** End of the interval that contains a time. */
  endOf(timeMs: UtcMs): UtcMs;
}

/** What rows are means over. */
interface IntervalChoice {
  /** null: every observation. */
  readonly intervalSeconds: number | null;
  /** The time zone whose days are averaged; with `intervalSeconds` of a day only, and without meaning otherwise. */
  readonly zone?: string | undefined;
}

export const DAY_SECONDS = 86_400;

/** The time zone whose days are averaged; undefined for observations and intervals of UTC. */
export function zoneOf({ intervalSeconds, zone }: IntervalChoice): string | undefined {
  return intervalSeconds === DAY_SECONDS ? zone : undefined;
}

/** Whether a name is one of a time zone, such as `Europe/Helsinki`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Intervals of a fixed length, aligned to UTC, or the days of a time zone, of which two a year have 23 and 25 hours. */
export function meanIntervals(intervalSeconds: number, zone?: string): MeanIntervals {
  const days = zoneOf({ intervalSeconds, zone });
  if (days !== undefined) return localDays(days);
  const stepMs = intervalSeconds * 1_000;
  const startOf = (timeMs: UtcMs): UtcMs => Math.floor(timeMs / stepMs) * stepMs;
  return { startOf, endOf: (timeMs) => startOf(timeMs) + stepMs };
}

function localDays(zone: string): MeanIntervals {
  /** The first moment of a day, also where midnight does not exist. */
  const dayOf = (timeMs: UtcMs, later = 0): UtcMs => {
    const { year, month, day } = fromAbsolute(timeMs, zone);
    return toZoned(new CalendarDateTime(year, month, day).add({ days: later }), zone)
      .toDate()
      .getTime();
  };
  return { startOf: (timeMs) => dayOf(timeMs), endOf: (timeMs) => dayOf(timeMs, 1) };
}

/** The smallest range of whole intervals that contains a range. */
export function outerIntervals({ startMs, endMs }: TimeRange, { startOf, endOf }: MeanIntervals): TimeRange {
  const last = startOf(endMs);
  return { startMs: startOf(startMs), endMs: last === endMs ? endMs : endOf(endMs) };
}

/** The range of the whole intervals inside a range; empty without any. */
export function innerIntervals({ startMs, endMs }: TimeRange, { startOf, endOf }: MeanIntervals): TimeRange {
  const first = startOf(startMs) === startMs ? startMs : endOf(startMs);
  return { startMs: first, endMs: Math.max(first, startOf(endMs)) };
}

/** The smallest range of whole intervals that contains a range; the range itself for observations. */
export function wholeRange(range: TimeRange, { intervalSeconds, zone }: IntervalChoice): TimeRange {
  return intervalSeconds === null ? range : outerIntervals(range, meanIntervals(intervalSeconds, zone));
}

/** The range of the whole intervals that begin in a range, as views show them; the range itself for observations. */
export function beginningIn(range: TimeRange, { intervalSeconds, zone }: IntervalChoice): TimeRange {
  if (intervalSeconds === null) return range;
  const { startOf, endOf } = meanIntervals(intervalSeconds, zone);
  const firstFrom = (timeMs: UtcMs): UtcMs => (startOf(timeMs) === timeMs ? timeMs : endOf(timeMs));
  return { startMs: firstFrom(range.startMs), endMs: firstFrom(range.endMs) };
}

/**
 * Resolves a range that moves with the clock by the calendar of a time zone: "yesterday" is the day before in that zone.
 *
 * @param resolve gets and returns the times of the zone's clocks, as if they were UTC
 */
export function byClockOf<Range extends TimeRange | null>(
  zone: string | undefined,
  nowMs: UtcMs,
  resolve: (nowMs: UtcMs) => Range,
): Range | TimeRange {
  if (zone === undefined) return resolve(nowMs);
  const range = resolve(nowMs + fromAbsolute(nowMs, zone).offset);
  if (range === null) return range;
  return { startMs: zonedMoment(range.startMs, zone), endMs: zonedMoment(range.endMs, zone) };
}

/** The times that the clocks of a zone show at both ends of a range, as if they were UTC. */
export function clockRange({ startMs, endMs }: TimeRange, zone: string | undefined): TimeRange {
  const clockMs = (timeMs: UtcMs): UtcMs => (zone === undefined ? timeMs : timeMs + fromAbsolute(timeMs, zone).offset);
  return { startMs: clockMs(startMs), endMs: clockMs(endMs) };
}

/** The moment at which the clocks of a zone show a time, given as if it were UTC. */
function zonedMoment(clockMs: UtcMs, zone: string): UtcMs {
  return toZoned(toCalendarDateTime(fromAbsolute(clockMs, "UTC")), zone)
    .toDate()
    .getTime();
}
