import { z } from "zod";
import { type Variable, variableInfo } from "#shared/service/variables.ts";

// Bytes of a JSON row, as the service writes it, without its variables: time, station id and display name.
const ROW_BYTES = 118;

/** Expected bytes of one JSON row with these variables: 172 for the three scalars, about 1,300 with all satellites. */
export function bytesPerRow(variables: readonly Variable[]): number {
  return variables.reduce((sum, name) => sum + variableInfo(name).wireBytes, ROW_BYTES);
}

/**
 * The maximum number of points in a request, whatever the service allows. It bounds the cost of a lost connection and
 * keeps progress visible: a million rows are about half a second of work and 175 MB of body.
 */
export const CEILING_POINTS = 1_000_000;
/**
 * The same in expected bytes of body, so that rows with satellites (1.3 kB each) do not make a request of a gigabyte.
 */
const CEILING_BYTES = 200_000_000;
/** The maximum number of stations in a request: their identifiers remain a few kilobytes of body. */
export const CEILING_STATIONS = 200;

/** Returns the points that a request for these variables may have under a limit of the service. */
export function ceilingPoints(variables: readonly Variable[], limit: number): number {
  return Math.max(1, Math.min(limit, CEILING_POINTS, Math.floor(CEILING_BYTES / bytesPerRow(variables))));
}

/** Number of given-up requests after which the smallest size grows, and its factor. */
const PIECES = 16;
const GROWTH = 8;

/**
 * Returns the size of a failed request that is not divided further: a single observation of one variable (0 points) at
 * first, so that nothing else is lost; larger the more requests were given up, so that a service with much unavailable
 * data costs a bounded number of requests. Everything given up is named with its range, and requested again by the next
 * job.
 *
 * @param givenUp number of requests that this job has given up
 * @returns data points
 */
export function floorPoints(givenUp: number): number {
  const level = Math.floor(givenUp / PIECES);
  return level === 0 ? 0 : GROWTH ** Math.min(level, 20);
}

/**
 * What was learned about a connection's size limits (specification 8 states neither value), in data points. Stored with
 * the connection, as JSON. `streak` counts successes near the value since it last changed.
 *
 * - `stated`: the limit in the message of a 413
 * - `size`: the size that passes where a larger one failed without a number (413, 408, no response); `passed` is the
 *   largest that passed since, `refused` the smallest that failed, null if that was long ago
 */
export const limitsSchema = z.object({
  stated: z.object({ value: z.number().int().min(1), streak: z.number().int().min(0) }).nullable(),
  size: z
    .object({
      value: z.number().int().min(1),
      passed: z.number().int().min(0),
      refused: z.number().int().min(1).nullable(),
      streak: z.number().int().min(0),
    })
    .nullable(),
});
export type LearnedLimits = Readonly<z.infer<typeof limitsSchema>>;

export const NO_LIMITS: LearnedLimits = { stated: null, size: null };

/** Successes near the size before it grows by a tenth: enough that those still under way do not count for a larger one. */
const GROW_AFTER = 8;
const GROW_BY = 1.1;
/** Successes after which a refusal is out of date: the limit may have risen, and one more refusal is cheap. */
const PROBE_AFTER = 250;

/** Requests end at round moments and seldom use the whole allowance; the planner uses about half of it or more. */
function isNear(points: number, value: number): boolean {
  return points >= value * 0.4;
}

/** Returns the points that a request may have by the learned limits; at most `CEILING_POINTS`. */
export function allowedPoints({ stated, size }: LearnedLimits): number {
  return Math.min(CEILING_POINTS, stated?.value ?? Infinity, size?.value ?? Infinity);
}

/** Returns the limit as a number for the user; null if none is known. */
export function knownLimit(state: LearnedLimits): number | null {
  return state.stated === null && state.size === null ? null : allowedPoints(state);
}

/**
 * Returns the limits after a refusal that states one. It is believed if it explains the refusal: an integer from 1 to
 * below the size of the request. Otherwise nothing is learned.
 */
export function afterStatement(state: LearnedLimits, requestPoints: number, stated: number | null): LearnedLimits {
  const isBelieved = stated !== null && Number.isSafeInteger(stated) && stated >= 1 && stated < requestPoints;
  return isBelieved ? { ...state, stated: { value: stated, streak: 0 } } : state;
}

/** Returns the limits after a request failed for its size: the largest size known to pass, otherwise half. */
export function afterRefusal(state: LearnedLimits, refusedPoints: number): LearnedLimits {
  const { size } = state;
  const refused = Math.max(1, Math.min(refusedPoints, size?.refused ?? Infinity));
  // A size that passed once and failed now proves nothing any more: the limit has fallen.
  const passed = size && size.passed < refused ? size.passed : 0;
  const half = Math.max(1, Math.floor(refusedPoints / 2));
  const value = Math.min(size?.value ?? Infinity, Math.max(passed, half));
  return { ...state, size: { value, passed, refused, streak: 0 } };
}

/** Returns the limits after a complete response. */
export function afterSuccess({ stated, size }: LearnedLimits, passedPoints: number): LearnedLimits {
  const isCap = stated !== null && stated.value <= (size?.value ?? Infinity);
  const streak = isCap && isNear(passedPoints, stated.value) ? stated.streak + 1 : (stated?.streak ?? 0);
  // Only a refusal shows where a raised limit is now, so it is occasionally forgotten; a larger success disproves it.
  const isOld = stated === null || streak >= PROBE_AFTER || passedPoints > stated.value;
  return { stated: isOld ? null : { ...stated, streak }, size: size && grownSize(size, passedPoints) };
}

function grownSize(size: NonNullable<LearnedLimits["size"]>, points: number): LearnedLimits["size"] {
  const passed = Math.max(size.passed, points);
  const value = Math.max(size.value, points);
  const refused = size.refused !== null && points >= size.refused ? null : size.refused;
  const streak = size.streak + (isNear(points, value) ? 1 : 0);
  const larger = Math.ceil(value * GROW_BY);
  const isRefused = refused !== null && larger >= refused;
  if (streak < (isRefused ? PROBE_AFTER : GROW_AFTER)) return { value, passed, refused, streak };
  return larger >= CEILING_POINTS ? null : { value: larger, passed, refused: isRefused ? null : refused, streak: 0 };
}
