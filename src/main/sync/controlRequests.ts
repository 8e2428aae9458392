import { defined } from "#shared/defined.ts";
import type { Coverage } from "#shared/series/rows.ts";
import { type Variable, withImpliedVariables } from "#shared/service/variables.ts";
import { rangeSet } from "#shared/time/rangeset.ts";
import { alignOutward, type TimeRange } from "#shared/time/range.ts";
import type { CacheReader } from "../store/index.ts";
import type { PlannedRequest, PlanStation } from "../planner/types.ts";

type StepLookup = (stationId: string, variable: Variable) => number;

interface ControlContext {
  /** The variables of the job: one of them may be unavailable. */
  readonly variables: readonly Variable[];
  /** Stations that may be requested, those to try first before others. */
  readonly stationIds: ReadonlySet<string>;
  /** Data of any station that the job has not fetched yet; computed on demand. */
  readonly missing: () => readonly PlanStation[];
  /** Time between two values of a variable of a station: a request of this length has a value, unless that is absent. */
  readonly stepMsOf: StepLookup;
  readonly maxRequests: number;
  /** Counts the control requests of the job for missing data, from 1. */
  readonly next: () => number;
}

/**
 * Yields the smallest requests that show whether the service responds at all after it did not respond to another one: the
 * newest time that it has answered for before, then missing values. Each asks for another variable, elsewhere, at the points of
 * a sequence that halves the missing data again and again, so that no arrangement of a few unavailable values hides the
 * others.
 */
export function* controlRequests(
  cache: Pick<CacheReader, "coverage">,
  request: PlannedRequest,
  { stationIds, variables, missing, stepMsOf, maxRequests, next }: ControlContext,
): IterableIterator<PlannedRequest> {
  let left = maxRequests;
  const known = knownValue(cache, request, stationIds, variables);
  if (known) {
    left--;
    yield oneValue(request, { ...known, range: endOf(known.range, stepMsOf(known.stationId, known.variable)) });
  }
  if (left === 0) return;
  const stations = missing().filter(({ id }) => stationIds.has(id));
  const parts = new Map(
    variables.map((variable) => [
      variable,
      stations.flatMap(({ id, missing: own }) =>
        rangeSet(own[variable] ?? []).map((range) =>
          partOf({ stationId: id, variable, range }, stepMsOf(id, variable)),
        ),
      ),
    ]),
  );
  const most = [...parts.values()].flat().reduce((sum, { values }) => sum + values, 0);
  for (let tries = Math.min(most, 2 * maxRequests); tries > 0 && left > 0; tries--) {
    const count = next();
    const value = valueAt(defined(parts.get(defined(variables[count % variables.length]))), halving(count));
    if (value === null || asksFor(request, value)) continue;
    left--;
    yield oneValue(request, value);
  }
}

/** Time in which a station has one value of a variable, or several. */
interface Place {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
}

/** A place as a number of values. */
interface Part extends Place {
  readonly stepMs: number;
  readonly values: number;
}

function partOf(place: Place, stepMs: number): Part {
  return { ...place, stepMs, values: Math.ceil((place.range.endMs - place.range.startMs) / stepMs) };
}

/** Returns the place of one value at a fraction, from 0 to below 1, of the values of all parts; null if they have none. */
function valueAt(parts: readonly Part[], fraction: number): Place | null {
  let rest = Math.floor(fraction * parts.reduce((sum, { values }) => sum + values, 0));
  const part = parts.find(({ values }) => (rest -= values) < 0);
  if (!part) return null;
  const { stationId, variable, range, stepMs, values } = part;
  const startMs = range.startMs + (rest + values) * stepMs;
  return { stationId, variable, range: { startMs, endMs: Math.min(range.endMs, startMs + stepMs) } };
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
  stepMsOf: StepLookup,
  chance: number,
): IterableIterator<PlannedRequest> {
  const { range, variables } = request;
  for (let i = 0; i < STATION_PLACES; i++) {
    const variable = defined(variables[i % variables.length]);
    for (const stationId of request.stationIds) {
      const part = partOf({ stationId, variable, range }, stepMsOf(stationId, variable));
      yield oneValue(request, defined(valueAt([part], (chance + i / STATION_PLACES) % 1)));
    }
  }
}

function knownValue(
  cache: Pick<CacheReader, "coverage">,
  request: PlannedRequest,
  stationIds: ReadonlySet<string>,
  variables: readonly Variable[],
): Place | null {
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

function oneValue({ intervalSeconds, raw }: PlannedRequest, { stationId, variable, range }: Place): PlannedRequest {
  const whole = intervalSeconds === null ? range : alignOutward(range, intervalSeconds);
  const variables = withImpliedVariables([variable]);
  return { stationIds: [stationId], variables, range: whole, points: 1, intervalSeconds, raw };
}

function endOf({ startMs, endMs }: TimeRange, stepMs: number): TimeRange {
  return { startMs: Math.max(startMs, endMs - stepMs), endMs };
}

/** Whether a request asks for nothing but a value: asking for it again shows nothing else. */
function asksFor({ stationIds, variables, range }: PlannedRequest, value: Place): boolean {
  const isOfStation = stationIds.length === 1 && stationIds[0] === value.stationId;
  return (
    isOfStation &&
    variables.includes(value.variable) &&
    range.startMs >= value.range.startMs &&
    range.endMs <= value.range.endMs
  );
}
