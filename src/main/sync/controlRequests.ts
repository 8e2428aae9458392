import { defined } from "#shared/defined.ts";
import type { Coverage } from "#shared/series/rows.ts";
import { type Variable, withImpliedVariables } from "#shared/service/variables.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { CacheReader } from "../store/index.ts";
import type { PlannedRequest, PlanStation } from "../planner/types.ts";

interface ControlContext {
  /** The variables of the job: one of them may be unavailable. */
  readonly variables: readonly Variable[];
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
  { stationIds, variables, missing, stepMsOf, maxRequests }: ControlContext,
): IterableIterator<PlannedRequest> {
  let left = maxRequests;
  const known = knownCell(cache, request, stationIds, variables);
  if (known) {
    left--;
    yield oneCell(request, known.stationId, known.variable, endOf(known.range, stepMsOf(known.stationId)));
  }
  const incomplete = missing().flatMap((station) => {
    if (!stationIds.has(station.id)) return [];
    const whole = hull(rangeSet(Object.values(station.missing).flat()));
    return whole ? [{ id: station.id, whole }] : [];
  });
  const last = incomplete.at(-1);
  for (const [i, station] of [last, incomplete[Math.floor(incomplete.length / 2)]].entries()) {
    const variable = variables[i % variables.length];
    if (left-- <= 0 || !station || variable === undefined) return;
    const { id, whole } = station;
    const range = station === last ? endOf(whole, stepMsOf(id)) : middleOf(whole, stepMsOf(id));
    if (!isWithin(range, request) || !request.stationIds.includes(id)) yield oneCell(request, id, variable, range);
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
    const variable = defined(variables[i % variables.length]);
    for (const id of request.stationIds) yield oneCell(request, id, variable, cell);
  }
}

function knownCell(
  cache: Pick<CacheReader, "coverage">,
  request: PlannedRequest,
  stationIds: ReadonlySet<string>,
  variables: readonly Variable[],
): { readonly stationId: string; readonly variable: Variable; readonly range: TimeRange } | null {
  for (const stationId of stationIds)
    for (const variable of variables) {
      const range = newest(cache.coverage(stationId, variable, request));
      if (range) return { stationId, variable, range };
    }
  return null;
}

function newest({ final, provisional }: Coverage): TimeRange | null {
  return final.at(-1) ?? provisional.at(-1)?.range ?? null;
}

function oneCell(
  { intervalSeconds, raw }: PlannedRequest,
  stationId: string,
  variable: Variable,
  range: TimeRange,
): PlannedRequest {
  const variables = withImpliedVariables([variable]);
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
