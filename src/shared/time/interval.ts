import type { TimeRange } from "./range.ts";
import { DAY_MS, type UtcMs } from "./utc.ts";

/**
 * Intervals are aligned to UTC: an interval of n seconds starts at whole multiples of n seconds since the epoch.
 * For every n that divides a day this is the grid of the service (900 gives 00:00, 00:15, …); for the others the
 * service does not say where its grid starts, so their rows are checked against this one when they arrive.
 */
export function floorToInterval(moment: UtcMs, intervalSeconds: number): UtcMs {
  const step = intervalSeconds * 1000;
  return Math.floor(moment / step) * step;
}

export function ceilToInterval(moment: UtcMs, intervalSeconds: number): UtcMs {
  const step = intervalSeconds * 1000;
  // Just before the epoch this would be -0, which is not 0 to everyone (`Object.is`, a database key); 0 more is 0.
  return Math.ceil(moment / step) * step + 0;
}

export function isAligned(moment: UtcMs, intervalSeconds: number): boolean {
  return moment % (intervalSeconds * 1000) === 0;
}

/** Grown to whole intervals, so that no mean is split. */
export function alignOutward(range: TimeRange, intervalSeconds: number): TimeRange {
  return {
    startMs: floorToInterval(range.startMs, intervalSeconds),
    endMs: ceilToInterval(range.endMs, intervalSeconds),
  };
}

/** Shrunk to the whole intervals inside; empty where there is none. */
export function alignInward(range: TimeRange, intervalSeconds: number): TimeRange {
  const startMs = ceilToInterval(range.startMs, intervalSeconds);
  return { startMs, endMs: Math.max(startMs, floorToInterval(range.endMs, intervalSeconds)) };
}

/** Whether the grid starts anew with every UTC day, as it does for 30 s, 900 s or an hour. */
export function dividesDay(intervalSeconds: number): boolean {
  return DAY_MS % (intervalSeconds * 1000) === 0;
}

/** How many multiples of the step lie in the half-open range: the epochs of a receiver with that step. */
export function epochsIn(range: TimeRange, stepSeconds: number): number {
  const step = stepSeconds * 1000;
  return Math.max(0, Math.ceil(range.endMs / step) - Math.ceil(range.startMs / step));
}

/** How many intervals the half-open range touches, whole or in part. */
export function intervalsIn(range: TimeRange, intervalSeconds: number): number {
  if (range.endMs <= range.startMs) return 0;
  const step = intervalSeconds * 1000;
  return Math.ceil(range.endMs / step) - Math.floor(range.startMs / step);
}
