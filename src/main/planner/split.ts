import { stationPoints } from "#shared/service/points.ts";
import { withImpliedVariables, type Variable } from "#shared/service/variables.ts";
import { gridSeconds, middleMoment } from "./cut.ts";
import type { EpochSecondsLookup, PlannedRequest } from "./types.ts";

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

/**
 * About an hour of 30 s epochs: smaller requests do not show better which of them are the cause. Fewer points than the
 * smallest number of rows at which a service is suspected of truncating its responses (`sync/doubts`), so that a
 * station that really ends after such a number is settled by its halves.
 */
const DOUBTFUL_POINTS = 99;

/**
 * Halves a request whose response did not settle its cells: in time down to about an hour, then by stations. Null if
 * one station is left with at most that.
 */
export function splitDoubtful(request: PlannedRequest, epochSecondsOf: EpochSecondsLookup): Halves | null {
  const pointsEach = request.points / request.stationIds.length;
  const halves = pointsEach > DOUBTFUL_POINTS ? splitTime(request, epochSecondsOf) : null;
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

function splitVariables(request: PlannedRequest): Halves | null {
  const alone = ownVariables(request);
  const middle = Math.ceil(alone.length / 2);
  return separate(request, alone.slice(0, middle), alone.slice(middle));
}

/** Separates some variables from the others, which are first. Null if only those, or none of those, are requested. */
export function splitOff(request: PlannedRequest, some: Pick<ReadonlySet<Variable>, "has">): Halves | null {
  const alone = ownVariables(request);
  return separate(
    request,
    alone.filter((v) => !some.has(v)),
    alone.filter((v) => some.has(v)),
  );
}

function separate(request: PlannedRequest, a: readonly Variable[], b: readonly Variable[]): Halves | null {
  if (a.length === 0 || b.length === 0) return null;
  return [
    { ...request, variables: withImpliedVariables(a) },
    { ...request, variables: withImpliedVariables(b) },
  ];
}

/** Returns the requested variables, without `prn` if others imply it. */
export function ownVariables({ variables }: PlannedRequest): readonly Variable[] {
  return variables.filter((v) => v !== "prn" || !isImplied(variables));
}

function isImplied(variables: readonly Variable[]): boolean {
  return withImpliedVariables(variables.filter((v) => v !== "prn")).includes("prn");
}

function counted(request: PlannedRequest, epochSecondsOf: EpochSecondsLookup): PlannedRequest {
  const points = request.stationIds.reduce(
    (sum, id) => sum + stationPoints(request.range, epochSecondsOf(id), request.intervalSeconds),
    0,
  );
  return { ...request, points };
}
