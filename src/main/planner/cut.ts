import type { TimeRange } from "#shared/time/range.ts";
import { stationPoints } from "#shared/service/points.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";

// Cuts are on these boundaries if that costs little: the cache writes a day as one chunk, and round times are easier to
// read in a log.
const ROUND_MS = [DAY_MS, HOUR_MS, MINUTE_MS];

/** Returns the grid of all cuts: whole intervals, or the epochs of the receiver. Seconds. */
export function gridSeconds(epochSeconds: number, intervalSeconds: number | null): number {
  return intervalSeconds ?? epochSeconds;
}

/**
 * Returns where to cut a range whose points exceed the limit: the latest moment of the grid at which the first part is within
 * the limit, or an earlier round moment that leaves at least half of that. The first part is never empty: it has one
 * grid step even if that step alone exceeds the limit.
 */
function cutMoment(range: TimeRange, epochSeconds: number, intervalSeconds: number | null, limit: number): UtcMs {
  const grid = gridSeconds(epochSeconds, intervalSeconds) * 1000;
  const latest =
    Math.floor(latestMoment(range.startMs, epochSeconds, intervalSeconds, Math.max(1, limit)) / grid) * grid;
  for (const round of ROUND_MS) {
    const cut = Math.floor((Math.floor(latest / round) * round) / grid) * grid;
    if ((cut - range.startMs) * 2 >= latest - range.startMs) return cut;
  }
  return latest;
}

function latestMoment(startMs: UtcMs, epochSeconds: number, intervalSeconds: number | null, limit: number): UtcMs {
  const byInterval = intervalSeconds !== null && intervalSeconds > epochSeconds;
  const step = (byInterval ? intervalSeconds : epochSeconds) * 1000;
  return (limit + (byInterval ? Math.floor(startMs / step) : Math.ceil(startMs / step))) * step;
}

/**
 * Returns a round moment of the grid near the middle of a range; null if the grid has none inside. Neither half is smaller than
 * a quarter unless the grid is that coarse.
 */
export function middleMoment(range: TimeRange, gridS: number): UtcMs | null {
  const grid = gridS * 1000;
  const length = range.endMs - range.startMs;
  const middle = range.startMs + length / 2;
  for (const round of ROUND_MS) {
    const cut = nearest(nearest(middle, round), grid);
    if (cut - range.startMs >= length / 4 && range.endMs - cut >= length / 4) return cut;
  }
  const whole = nearest(middle, grid);
  return [whole, whole - grid].find((cut) => cut > range.startMs && cut < range.endMs) ?? null;
}

/** Adds 0 to avoid -0 just before the epoch. */
function nearest(momentMs: number, stepMs: number): UtcMs {
  return Math.round(momentMs / stepMs) * stepMs + 0;
}

/** Yields the parts of a range in order, each within the limit unless a single grid step exceeds it. */
export function* splitRange(
  range: TimeRange,
  epochSeconds: number,
  intervalSeconds: number | null,
  limit: () => number,
): IterableIterator<TimeRange> {
  let rest = range;
  while (stationPoints(rest, epochSeconds, intervalSeconds) > limit()) {
    const cut = cutMoment(rest, epochSeconds, intervalSeconds, limit());
    if (cut >= rest.endMs) break;
    yield { startMs: rest.startMs, endMs: cut };
    rest = { startMs: cut, endMs: rest.endMs };
  }
  yield rest;
}
