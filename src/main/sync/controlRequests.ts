import { defined } from "#shared/defined.ts";
import type { Coverage } from "#shared/series/rows.ts";
import { type Variable, withImpliedVariables } from "#shared/service/variables.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
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
  /** Counts the control requests of the job for missing data, from 1. */
  readonly next: () => number;
}

/**
 * Yields the smallest requests that show whether the service responds at all after it did not respond to another one: the
 * newest observation that it has delivered before, then missing ones. Each asks elsewhere, at the points of a sequence
 * that halves the missing data again and again, so that no arrangement of a few unavailable observations hides the others.
 */
export function* controlRequests(
  cache: Pick<CacheReader, "coverage">,
  request: PlannedRequest,
  { stationIds, variables, missing, stepMsOf, maxRequests, next }: ControlContext,
): IterableIterator<PlannedRequest> {
  let left = maxRequests;
  const known = knownCell(cache, request, stationIds, variables);
  if (known) {
    left--;
    yield oneCell(request, known.stationId, known.variable, endOf(known.range, stepMsOf(known.stationId)));
  }
  if (left === 0) return;
  const parts = missing().flatMap(({ id, missing: own }) => {
    const stepMs = stepMsOf(id);
    return stationIds.has(id) ? rangeSet(Object.values(own).flat()).map((range) => partOf(id, range, stepMs)) : [];
  });
  const cells = parts.reduce((sum, part) => sum + part.cells, 0);
  for (let tries = Math.min(cells, 2 * maxRequests); tries > 0 && left > 0; tries--) {
    const count = next();
    const { id, range } = cellAt(parts, Math.floor(halving(count) * cells));
    if (request.points === 1 && request.stationIds.includes(id) && isWithin(range, request)) continue;
    left--;
    yield oneCell(request, id, defined(variables[count % variables.length]), range);
  }
}

/** A missing range of a station, as a number of observations. */
interface Part {
  readonly id: string;
  readonly range: TimeRange;
  readonly stepMs: number;
  readonly cells: number;
}

function partOf(id: string, range: TimeRange, stepMs: number): Part {
  return { id, range, stepMs, cells: Math.ceil((range.endMs - range.startMs) / stepMs) };
}

function cellAt(parts: readonly Part[], index: number): { readonly id: string; readonly range: TimeRange } {
  let rest = index;
  const part = defined(parts.find(({ cells }) => (rest -= cells) < 0));
  const { id, range, stepMs } = part;
  const startMs = range.startMs + (rest + part.cells) * stepMs;
  return { id, range: { startMs, endMs: Math.min(range.endMs, startMs + stepMs) } };
}

/** 1/2, 1/4, 3/4, 1/8, 5/8, 3/8 … for 1, 2, 3 …: the binary digits mirrored at the point. */
function halving(count: number): number {
  let fraction = 0;
  for (let [rest, weight] = [count, 0.5]; rest > 0; rest >>= 1, weight /= 2) fraction += (rest & 1) * weight;
  return fraction;
}

/** Places of a range at which the refusal of a station is confirmed. */
const STATION_PLACES = 3;

/**
 * Yields small requests that show whether a service that refuses a request of one station refuses the whole station: at
 * three times a third of the range apart, each for another variable. Chance chooses the first, so a few unavailable
 * observations are unlikely to be at all three.
 *
 * @param chance from 0 to below 1
 */
export function* stationControls(
  request: PlannedRequest,
  stepMs: number,
  chance: number,
): IterableIterator<PlannedRequest> {
  const { range, variables } = request;
  for (let i = 0; i < STATION_PLACES; i++) {
    const variable = defined(variables[i % variables.length]);
    for (const id of request.stationIds) {
      const part = partOf(id, range, stepMs);
      const place = (chance + i / STATION_PLACES) % 1;
      yield oneCell(request, id, variable, cellAt([part], Math.floor(place * part.cells)).range);
    }
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

function isWithin(inner: TimeRange, { range }: PlannedRequest): boolean {
  return inner.startMs >= range.startMs && inner.endMs <= range.endMs;
}
