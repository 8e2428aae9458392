import { formatUtcShort, type UtcMs } from "./utc.ts";

/** A half-open range of time: includes `startMs`, excludes `endMs`. Empty if they are equal. */
export interface TimeRange {
  readonly startMs: UtcMs;
  readonly endMs: UtcMs;
}

export function timeRange(startMs: UtcMs, endMs: UtcMs): TimeRange {
  return { startMs, endMs };
}

export function isEmpty(range: TimeRange): boolean {
  return range.endMs <= range.startMs;
}

export function durationMs(range: TimeRange): number {
  return Math.max(0, range.endMs - range.startMs);
}

export function containsMoment(range: TimeRange, moment: UtcMs): boolean {
  return moment >= range.startMs && moment < range.endMs;
}

/** Whether two ranges share a moment. */
export function overlap(a: TimeRange, b: TimeRange): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs;
}

/** Returns the common part of two ranges; empty (`endMs === startMs`) if there is none. */
export function intersectRange(a: TimeRange, b: TimeRange): TimeRange {
  const startMs = Math.max(a.startMs, b.startMs);
  return { startMs, endMs: Math.max(startMs, Math.min(a.endMs, b.endMs)) };
}

export function formatRange(range: TimeRange): string {
  return `${formatUtcShort(range.startMs)} → ${formatUtcShort(range.endMs)}`;
}

/**
 * Rounds down to the start of an interval. Intervals are aligned to UTC: an interval of n seconds starts at multiples of n
 * seconds since 1970. If n divides a day, this is the grid of the service (900 gives 00:00, 00:15, …). For other n the
 * service does not define its grid, so received rows are checked against this one.
 */
export function floorToInterval(moment: UtcMs, intervalSeconds: number): UtcMs {
  const step = intervalSeconds * 1000;
  return Math.floor(moment / step) * step;
}

export function ceilToInterval(moment: UtcMs, intervalSeconds: number): UtcMs {
  const step = intervalSeconds * 1000;
  // Adding 0 turns -0 into 0, which differ in `Object.is` and as database keys.
  return Math.ceil(moment / step) * step + 0;
}

export function isAligned(moment: UtcMs, intervalSeconds: number): boolean {
  return moment % (intervalSeconds * 1000) === 0;
}

/** Extends a range to whole intervals, so that no mean is split. */
export function alignOutward(range: TimeRange, intervalSeconds: number): TimeRange {
  return {
    startMs: floorToInterval(range.startMs, intervalSeconds),
    endMs: ceilToInterval(range.endMs, intervalSeconds),
  };
}

/** Shrinks a range to the whole intervals inside; an empty range if there are none. */
export function alignInward(range: TimeRange, intervalSeconds: number): TimeRange {
  const startMs = ceilToInterval(range.startMs, intervalSeconds);
  return { startMs, endMs: Math.max(startMs, floorToInterval(range.endMs, intervalSeconds)) };
}

/** Returns the number of multiples of the step in the half-open range: the epochs of a receiver with that step. */
export function epochsIn(range: TimeRange, stepSeconds: number): number {
  const step = stepSeconds * 1000;
  return Math.max(0, Math.ceil(range.endMs / step) - Math.ceil(range.startMs / step));
}

/** Returns the number of intervals that the half-open range overlaps, wholly or partly. */
export function intervalsIn(range: TimeRange, intervalSeconds: number): number {
  if (range.endMs <= range.startMs) return 0;
  const step = intervalSeconds * 1000;
  return Math.ceil(range.endMs / step) - Math.floor(range.startMs / step);
}

/** The UTC calendar month that contains a time, or the one `months` later. */
export function monthOf(moment: UtcMs, months = 0): TimeRange {
  const date = new Date(moment);
  const firstDay = (offset: number): UtcMs => {
    const start = new Date(0);
    start.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
    return start.getTime();
  };
  return { startMs: firstDay(months), endMs: firstDay(months + 1) };
}
