import { stationPoints } from "#shared/service/points.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import type { EpochSecondsLookup, PlannedRequest } from "./types.ts";

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
function middleMoment(range: TimeRange, gridS: number): UtcMs | null {
  const grid = gridS * 1000;
  const length = range.endMs - range.startMs;
  const middle = range.startMs + length / 2;
  for (const round of ROUND_MS) {
    const cut = nearestMultiple(nearestMultiple(middle, round), grid);
    if (cut - range.startMs >= length / 4 && range.endMs - cut >= length / 4) return cut;
  }
  const whole = nearestMultiple(middle, grid);
  return [whole, whole - grid].find((cut) => cut > range.startMs && cut < range.endMs) ?? null;
}

/** Adds 0 to avoid -0 just before the epoch. */
function nearestMultiple(momentMs: number, stepMs: number): UtcMs {
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

export type Halves = readonly [PlannedRequest, PlannedRequest];

/**
 * Halves a request that the service refused for its size or its duration: in time first, on the grid of the interval;
 * then by stations; then by variables, which do not count as points but have many bytes. The halves together are the
 * request; only `prn` may be in both, because the service sends it with every satellite variable.
 *
 * @returns null if nothing is left to halve (one station, one variable, one epoch or interval)
 */
export function splitRequest(request: PlannedRequest, epochSecondsOf: EpochSecondsLookup): Halves | null {
  return splitTime(request, epochSecondsOf) ?? splitStations(request, epochSecondsOf) ?? splitVariables(request);
}

/** About an hour of 30 s epochs: smaller requests do not show better which of them are the cause. */
const UNUSABLE_POINTS = 99;

/**
 * Halves a request whose response is unusable: in time down to about an hour, then by stations. Null if one station is
 * left with at most that.
 *
 * @param floor points that are not divided further, if they are more
 */
export function splitUnusable(
  request: PlannedRequest,
  epochSecondsOf: EpochSecondsLookup,
  floor: number,
): Halves | null {
  const pointsEach = request.points / request.stationIds.length;
  const halves = pointsEach > Math.max(UNUSABLE_POINTS, floor) ? splitTime(request, epochSecondsOf) : null;
  return halves ?? splitStations(request, epochSecondsOf);
}

function splitTime(request: PlannedRequest, epochSecondsOf: EpochSecondsLookup): Halves | null {
  const longestEpoch = Math.max(...request.stationIds.map(epochSecondsOf));
  const cut = middleMoment(request.range, gridSeconds(longestEpoch, request.intervalSeconds));
  if (cut === null) return null;
  const { startMs, endMs } = request.range;
  return [
    counted({ ...request, range: { startMs, endMs: cut } }, epochSecondsOf),
    counted({ ...request, range: { startMs: cut, endMs } }, epochSecondsOf),
  ];
}

/** Halves a request by stations, which also isolates a forbidden station step by step. Null for a single station. */
export function splitStations(request: PlannedRequest, epochSecondsOf: EpochSecondsLookup): Halves | null {
  const { stationIds } = request;
  if (stationIds.length < 2) return null;
  const middle = Math.ceil(stationIds.length / 2);
  return [
    counted({ ...request, stationIds: stationIds.slice(0, middle) }, epochSecondsOf),
    counted({ ...request, stationIds: stationIds.slice(middle) }, epochSecondsOf),
  ];
}

/** Halves a request by variables. Null for a single one, beside which `prn` may be implied. */
export function splitVariables(request: PlannedRequest): Halves | null {
  const others = request.variables.filter((v) => v !== "prn");
  const alone = withImpliedVariables(others).includes("prn") ? others : request.variables;
  if (alone.length < 2) return null;
  const middle = Math.ceil(alone.length / 2);
  return [
    { ...request, variables: withImpliedVariables(alone.slice(0, middle)) },
    { ...request, variables: withImpliedVariables(alone.slice(middle)) },
  ];
}

function counted(request: PlannedRequest, epochSecondsOf: EpochSecondsLookup): PlannedRequest {
  const points = request.stationIds.reduce(
    (sum, id) => sum + stationPoints(request.range, epochSecondsOf(id), request.intervalSeconds),
    0,
  );
  return { ...request, points };
}
