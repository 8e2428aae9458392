import type { Coverage } from "#shared/series/rows.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { CacheReader } from "../store/index.ts";
import type { PlannedRequest, PlanStation } from "../planner/types.ts";

interface ControlContext {
  /** Stations that may be requested, those to try first before others. */
  readonly stationIds: ReadonlySet<string>;
  /** Data of any station that the job has not fetched yet; computed on demand. */
  readonly missing: () => readonly PlanStation[];
  /** Time between two observations or intervals of a station. */
  readonly stepMsOf: (stationId: string) => number;
  readonly maxRequests: number;
}

/**
 * Yields the smallest requests that show whether the service responds at all after it did not respond to a small one:
 * the newest observation that it has delivered before, then one at the end and one in the middle of the missing data.
 */
export function* controlRequests(
  cache: Pick<CacheReader, "coverage">,
  request: PlannedRequest,
  { stationIds, missing, stepMsOf, maxRequests }: ControlContext,
): IterableIterator<PlannedRequest> {
  const variables = withImpliedVariables(request.variables.slice(0, 1));
  let left = maxRequests;
  const known = knownCell(cache, request, stationIds);
  if (known) {
    left--;
    yield oneCell(request, known.stationId, variables, endOf(known.range, stepMsOf(known.stationId)));
  }
  const incomplete = missing().flatMap((station) => {
    if (!stationIds.has(station.id)) return [];
    const whole = hull(rangeSet(Object.values(station.missing).flat()));
    return whole ? [{ id: station.id, whole }] : [];
  });
  const last = incomplete.at(-1);
  for (const station of [last, incomplete[Math.floor(incomplete.length / 2)]]) {
    if (left-- <= 0 || !station) return;
    const { id, whole } = station;
    const range = station === last ? endOf(whole, stepMsOf(id)) : middleOf(whole, stepMsOf(id));
    if (!isWithin(range, request) || !request.stationIds.includes(id)) yield oneCell(request, id, variables, range);
  }
}

/**
 * Yields small requests that show whether a service that refuses a request of one station refuses the whole station: at
 * the start, the middle and the end of the range, each for another variable.
 */
export function* stationControls(request: PlannedRequest, stepMs: number): IterableIterator<PlannedRequest> {
  const { range, variables } = request;
  const start = { startMs: range.startMs, endMs: Math.min(range.endMs, range.startMs + stepMs) };
  const cells = [start, middleOf(range, stepMs), endOf(range, stepMs)];
  for (const [i, cell] of cells.entries()) {
    const own = variables.slice(i % variables.length, (i % variables.length) + 1);
    for (const id of request.stationIds) yield oneCell(request, id, withImpliedVariables(own), cell);
  }
}

function knownCell(
  cache: Pick<CacheReader, "coverage">,
  request: PlannedRequest,
  stationIds: Iterable<string>,
): { readonly stationId: string; readonly range: TimeRange } | null {
  const [variable] = request.variables;
  if (variable === undefined) return null;
  for (const stationId of stationIds) {
    const range = newest(cache.coverage(stationId, variable, request));
    if (range) return { stationId, range };
  }
  return null;
}

function newest({ final, provisional }: Coverage): TimeRange | null {
  return final.at(-1) ?? provisional.at(-1)?.range ?? null;
}

function oneCell(
  { intervalSeconds, raw }: PlannedRequest,
  stationId: string,
  variables: PlannedRequest["variables"],
  range: TimeRange,
): PlannedRequest {
  return { stationIds: [stationId], variables, range, points: 1, intervalSeconds, raw };
}

function endOf({ startMs, endMs }: TimeRange, stepMs: number): TimeRange {
  return { startMs: Math.max(startMs, endMs - stepMs), endMs };
}

function middleOf({ startMs, endMs }: TimeRange, stepMs: number): TimeRange {
  const middle = startMs + Math.floor((endMs - startMs) / 2 / stepMs) * stepMs;
  return { startMs: middle, endMs: Math.min(endMs, middle + stepMs) };
}

function isWithin(inner: TimeRange, { range }: PlannedRequest): boolean {
  return inner.startMs >= range.startMs && inner.endMs <= range.endMs;
}
