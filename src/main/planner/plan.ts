import type { Estimate } from "#shared/job/job.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { stationPoints } from "#shared/service/points.ts";
import { type Variable, VARIABLE_NAMES, withImpliedVariables } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { joinGroups } from "./join.ts";
import { splitRange } from "./split.ts";
import { bytesPerRow, CEILING_STATIONS, ceilingPoints } from "./limits.ts";
import type { Group, PlanInput, PlannedRequest, PlanStation } from "./types.ts";

/**
 * Yields requests that fetch the missing data, and others only where that saves a request (see `joinGroups`). None exceeds
 * the limit, unless a single epoch or interval of one station does, and every cut lies on the grid of the interval or of
 * the receiver. A station's range stays whole if possible: stations that fit share a request; one that does not fit is cut
 * in time, and the remainder is shared again.
 *
 * Lazy: ten years of 500 stations need no more memory than their missing ranges.
 */
export function* planRequests(input: PlanInput): IterableIterator<PlannedRequest> {
  const { mode } = input;
  for (const group of groups(input)) {
    const limit = () => ceilingPoints(group.variables, input.maxPoints());
    const rests = new Map<number, string[]>();
    for (const id of group.stationIds) {
      for (const range of splitRange(group.range, group.epochSeconds, mode.intervalSeconds, limit)) {
        if (range.endMs < group.range.endMs) yield requestOf(group, mode, [id], range);
        else if (!rests.get(range.startMs)?.push(id)) rests.set(range.startMs, [id]);
      }
    }
    for (const [startMs, ids] of rests)
      yield* share({ ...group, range: { startMs, endMs: group.range.endMs }, stationIds: ids }, mode, limit);
  }
}

/** Yields requests for the stations of a group, as many in each as the limit permits. */
function* share(group: Group, mode: SeriesMode, limit: () => number): IterableIterator<PlannedRequest> {
  const { range, stationIds: ids } = group;
  const each = stationPoints(range, group.epochSeconds, mode.intervalSeconds);
  for (let i = 0, n; i < ids.length; i += n) {
    n = stationsPerRequest(each, limit());
    yield requestOf(group, mode, ids.slice(i, i + n), range);
  }
}

function stationsPerRequest(pointsEach: number, limit: number): number {
  return Math.max(1, Math.min(CEILING_STATIONS, Math.floor(limit / Math.max(1, pointsEach))));
}

function requestOf(group: Group, mode: SeriesMode, stationIds: readonly string[], range: TimeRange): PlannedRequest {
  const { intervalSeconds, raw } = mode;
  const points = stationIds.length * stationPoints(range, group.epochSeconds, intervalSeconds);
  return { stationIds, variables: group.variables, range, points, intervalSeconds, raw };
}

function groups(input: PlanInput): readonly Group[] {
  return joinGroups(alikeGroups(input), input);
}

/** Stations that lack exactly the same. */
function alikeGroups({ mode: { intervalSeconds }, stations }: Pick<PlanInput, "mode" | "stations">): readonly Group[] {
  const found = new Map<string, Group>();
  for (const station of stations) {
    // In interval mode, stations with shorter epochs all count the same and can share a request.
    const byInterval = intervalSeconds !== null && intervalSeconds > station.epochSeconds;
    for (const { range, variables } of tiles(station.missing)) {
      const key = `${range.startMs} ${range.endMs} ${byInterval ? "i" : station.epochSeconds} ${variables.join()}`;
      const group = found.get(key);
      if (group) group.stationIds.push(station.id);
      else found.set(key, { range, variables, epochSeconds: station.epochSeconds, stationIds: [station.id] });
    }
  }
  return [...found.values()];
}

interface PlanCount {
  readonly requests: number;
  readonly points: number;
  /** Expected bytes of the response bodies. */
  readonly bodyBytes: number;
}

/** Counts what `planRequests` would yield, without creating the requests: the stations of a group are cut alike. */
export function countPlan(input: PlanInput): PlanCount {
  let requests = 0;
  let points = 0;
  let bodyBytes = 0;
  const { intervalSeconds } = input.mode;
  for (const group of groups(input)) {
    const limit = ceilingPoints(group.variables, input.maxPoints());
    const stations = group.stationIds.length;
    let rest = group.range;
    for (const range of splitRange(group.range, group.epochSeconds, intervalSeconds, () => limit)) {
      if (range.endMs < group.range.endMs) requests += stations;
      rest = range;
    }
    const restPoints = stationPoints(rest, group.epochSeconds, intervalSeconds);
    requests += Math.ceil(stations / stationsPerRequest(restPoints, limit));
    const groupPoints = stations * stationPoints(group.range, group.epochSeconds, intervalSeconds);
    points += groupPoints;
    bodyBytes += groupPoints * bytesPerRow(group.variables);
  }
  return { requests, points, bodyBytes };
}

/** A range of time in which the same variables of a station are missing. */
interface Tile {
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
}

/**
 * Divides the time line of a station where the set of missing variables changes. Neighbouring tiles have different
 * variables and never overlap: the size rule counts points, however many variables they have.
 */
function tiles(missing: Partial<Record<Variable, RangeSet>>): Tile[] {
  const toggles: { atMs: number; bit: number }[] = [];
  for (const [name, set] of withImpliedPrn(missing)) {
    const bit = 1 << VARIABLE_NAMES.indexOf(name);
    for (const range of set) toggles.push({ atMs: range.startMs, bit }, { atMs: range.endMs, bit });
  }
  toggles.sort((a, b) => a.atMs - b.atMs);
  const found: Tile[] = [];
  let mask = 0;
  toggles.forEach(({ atMs, bit }, i) => {
    mask ^= bit;
    const next = toggles[i + 1];
    if (mask !== 0 && next && next.atMs > atMs) {
      found.push({ range: { startMs: atMs, endMs: next.atMs }, variables: variablesOf(mask) });
    }
  });
  return found;
}

/**
 * Adds `prn` to satellite variables: the service sends it with each of them, and their values mean nothing without it.
 */
function withImpliedPrn(missing: Partial<Record<Variable, RangeSet>>): [Variable, RangeSet][] {
  const asked = VARIABLE_NAMES.filter((name) => (missing[name]?.length ?? 0) > 0);
  return withImpliedVariables(asked).map((name) => [
    name,
    name === "prn"
      ? rangeSet((["prn", "el", "az", "snr"] as const).flatMap((v) => missing[v] ?? []))
      : (missing[name] ?? []),
  ]);
}

function variablesOf(mask: number): Variable[] {
  return VARIABLE_NAMES.filter((_, i) => (mask & (1 << i)) !== 0);
}

interface EstimateStation extends PlanStation {
  /** The part of the requested ranges that can be requested at all; see `requestableRange`. */
  readonly requestable: RangeSet;
}

interface EstimateInput {
  readonly stations: readonly EstimateStation[];
  readonly mode: SeriesMode;
  readonly maxPoints: number;
  /** Points per second of earlier downloads; null if none was measured. */
  readonly pointsPerSecond: number | null;
  /** Small requests per second of earlier downloads; null if none was measured. */
  readonly requestsPerSecond: number | null;
}

/**
 * Assumed for services that were never measured with small requests: a few at a time, each a few tenths of a second.
 */
const USUAL_REQUESTS_PER_SECOND = 20;

export function estimate(input: EstimateInput): Omit<Estimate, "forbiddenStationIds"> {
  const { mode, stations } = input;
  const plan = countPlan({ stations, mode, maxPoints: () => input.maxPoints });
  const pointsRequested = stations
    .flatMap((s) => s.requestable.map((range) => stationPoints(range, s.epochSeconds, mode.intervalSeconds)))
    .reduce((sum, points) => sum + points, 0);
  const lacking = alikeGroups({ stations, mode }).reduce(
    (sum, { stationIds, range, epochSeconds }) =>
      sum + stationIds.length * stationPoints(range, epochSeconds, mode.intervalSeconds),
    0,
  );
  return {
    pointsRequested,
    pointsKnown: Math.max(0, pointsRequested - lacking),
    pointsToFetch: plan.points,
    requests: plan.requests,
    bodyBytes: plan.bodyBytes,
    seconds: estimatedSeconds(input, plan),
  };
}

/** The duration of large requests depends on their points; small ones all take about the same time. */
function estimatedSeconds(
  { pointsPerSecond, requestsPerSecond }: EstimateInput,
  { points, requests }: { readonly points: number; readonly requests: number },
): number | null {
  if (pointsPerSecond === null || pointsPerSecond <= 0) return null;
  return Math.max(points / pointsPerSecond, requests / (requestsPerSecond ?? USUAL_REQUESTS_PER_SECOND));
}
