import { CalendarDateTime, fromAbsolute, toZoned } from "@internationalized/date";
import type { TimeRange } from "./range.ts";
import type { UtcMs } from "./utc.ts";

/** The intervals that means are computed over. */
export interface MeanIntervals {
  /** Start of the interval that contains a time. */
  startOf(timeMs: UtcMs): UtcMs;
  /** End of the interval that contains a time. */
  endOf(timeMs: UtcMs): UtcMs;
}

/** Intervals of a fixed length, aligned to UTC, or the days of a time zone, of which two a year have 23 and 25 hours. */
export function meanIntervals(intervalSeconds: number, zone?: string): MeanIntervals {
  if (zone !== undefined) return localDays(zone);
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
