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

/** Returns the common part of two ranges; empty (`endMs === startMs`) if there is none. */
export function intersectRange(a: TimeRange, b: TimeRange): TimeRange {
  const startMs = Math.max(a.startMs, b.startMs);
  return { startMs, endMs: Math.max(startMs, Math.min(a.endMs, b.endMs)) };
}

export function formatRange(range: TimeRange): string {
  return `${formatUtcShort(range.startMs)} → ${formatUtcShort(range.endMs)}`;
}
