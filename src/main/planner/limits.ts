import { z } from "zod";
import { type Variable, variableInfo } from "#shared/service/variables.ts";

/**
 * A limit found by trying. `value` is the size allowed now; `refused` the smallest size that was refused, null if none
 * is known; `proven` the largest that passed; `streak` counts successes near the value since it last changed; `caution`
 * counts larger sizes that were tried and refused.
 */
const guessSchema = z.object({
  value: z.number().int().min(1),
  refused: z.number().int().min(1).nullable(),
  proven: z.number().int().min(0),
  streak: z.number().int().min(0),
  caution: z.number().int().min(0),
});
type Guess = Readonly<z.infer<typeof guessSchema>>;

/**
 * Successes near the value before it grows: enough that those still under way do not count for a larger one. Each refusal
 * of a larger size doubles it, so that a limit that comes and goes is not tried all the time.
 */
const GUESS_GROW_AFTER = 8;
const MAX_CAUTION = 4;
/** Once value and refusal are this close, a closer search would cost more refusals than it gains. */
const CLOSE = 0.9;
/** After this many successes a refusal is out of date: the limit may have risen, and one more refusal is cheap. */
const PROBE_AFTER = 250;

/** Requests end at round moments and seldom use the whole allowance; the planner uses about half of it or more. */
function isNear(points: number, value: number): boolean {
  return points >= value * 0.4;
}

/** Returns the guess after a refusal: the largest size known to pass, otherwise half of the refused size; never more than before. */
function shrink(guess: Guess | null, refusedPoints: number): Guess {
  const refused = Math.max(1, Math.min(refusedPoints, guess?.refused ?? Infinity));
  // A size that passed once and is refused now proves nothing any more: the limit has fallen.
  const proven = guess && guess.proven < refused ? guess.proven : 0;
  const half = Math.max(1, Math.floor(refusedPoints / 2));
  const value = Math.min(guess?.value ?? Infinity, Math.max(proven, half));
  // A larger request was made before the value was learned.
  const isTrial = guess !== null && guess.proven > 0 && refusedPoints <= guess.value;
  return {
    value,
    refused,
    proven,
    streak: 0,
    caution: Math.min(MAX_CAUTION, (guess?.caution ?? 0) + (isTrial ? 1 : 0)),
  };
}

/** Returns the guess after a success: halfway to the refused size; doubled if none is known; occasionally past an old refusal. */
function grow(guess: Guess, passedPoints: number): Guess {
  const proven = Math.max(guess.proven, passedPoints);
  // A success at or above a refused size: the limit has risen.
  const refused = guess.refused !== null && passedPoints >= guess.refused ? null : guess.refused;
  const value = Math.max(guess.value, passedPoints);
  const streak = guess.streak + (isNear(passedPoints, guess.value) ? 1 : 0);
  const { caution } = guess;
  const isClose = refused !== null && value >= refused * CLOSE;
  if (streak < (isClose ? PROBE_AFTER : GUESS_GROW_AFTER * 2 ** caution))
    return { value, refused, proven, streak, caution };
  if (refused === null || isClose) return { value: value * 2, refused: null, proven, streak: 0, caution };
  return { value: Math.floor((value + refused) / 2), refused, proven, streak: 0, caution };
}

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
 * The size at which responses arrive within the service's processing deadline. Unlike a size limit it is not a fixed
 * number: it varies with the load of the service, so a refusal proves nothing for long.
 */
const deadlineSchema = z.object({
  value: z.number().int().min(1),
  /** Successes near the value since it last changed. */
  streak: z.number().int().min(0),
});
type DeadlineSize = Readonly<z.infer<typeof deadlineSchema>>;

const GROW_AFTER = 8;
const GROW_BY = 1.1;

function narrow(size: DeadlineSize | null, refusedPoints: number): DeadlineSize {
  const half = Math.max(1, Math.floor(refusedPoints / 2));
  return { value: Math.min(size?.value ?? Infinity, half), streak: 0 };
}

function widen(size: DeadlineSize, passedPoints: number): DeadlineSize {
  const value = Math.max(size.value, passedPoints);
  const streak = size.streak + (isNear(passedPoints, size.value) ? 1 : 0);
  return streak < GROW_AFTER ? { value, streak } : { value: Math.ceil(value * GROW_BY), streak: 0 };
}

/**
 * What was learned about a connection's size limits (specification 8 states neither value). Stored with the connection,
 * as JSON.
 * - `stated`: a 413 message stated the data-point limit. It holds until a response contradicts it.
 * - `guessed`: refused without a believable number; halved, and grown again by successes.
 * - `none`: never refused.
 * `deadline` is the size learned from requests that exceeded the processing deadline (408).
 */
export const limitsSchema = z.object({
  points: z.discriminatedUnion("source", [
    z.object({ source: z.literal("none") }),
    z.object({
      source: z.literal("stated"),
      value: z.number().int().min(1),
      /** Consecutive refusals at or below the value that stated no other: by bytes, or the limit has fallen. */
      doubts: z.number().int().min(0),
      /** Successes near the value. */
      streak: z.number().int().min(0),
    }),
    z.object({ source: z.literal("guessed"), ...guessSchema.shape }),
  ]),
  deadline: deadlineSchema.nullable(),
});
export type LearnedLimits = Readonly<z.infer<typeof limitsSchema>>;

export const NO_LIMITS: LearnedLimits = { points: { source: "none" }, deadline: null };

/** A single refusal by bytes says nothing about points; this many in a row do. */
const DOUBTS = 3;

/** Returns the points that a request may have by the learned limits; at most `CEILING_POINTS`. */
export function allowedPoints(state: LearnedLimits): number {
  const byPoints = state.points.source === "none" ? Infinity : state.points.value;
  return Math.min(CEILING_POINTS, byPoints, state.deadline?.value ?? Infinity);
}

/** Returns the limit as a number for the user; null if none is known. */
export function knownLimit(state: LearnedLimits): number | null {
  return state.points.source === "none" && state.deadline === null ? null : allowedPoints(state);
}

/**
 * Returns the limits after a 413. A stated limit is believed if it explains the refusal: an integer from 1 to below the
 * size of the request. Anything else (zero, negative, more than requested, none) does not, and the size is halved.
 * Exceptions: if the stated limit explains the refusal once each variable counts, it counts each; and a single such
 * refusal below a known stated limit is attributed to bytes and changes nothing.
 *
 * @param variables number of variables in the request
 */
export function afterTooLarge(
  state: LearnedLimits,
  requestPoints: number,
  stated: number | null,
  variables = 1,
): LearnedLimits {
  const { points } = state;
  if (stated !== null && Number.isSafeInteger(stated) && stated >= 1 && stated < requestPoints) {
    return { ...state, points: { source: "stated", value: stated, doubts: 0, streak: 0 } };
  }
  if (points.source === "stated" && requestPoints <= points.value) {
    const value = Math.floor(points.value / variables);
    if (value >= 1 && value < requestPoints)
      return { ...state, points: { source: "guessed", value, refused: value + 1, proven: 0, streak: 0, caution: 0 } };
  }
  if (points.source === "stated") {
    // A request made before the limit was known: nothing new.
    if (requestPoints > points.value) return state;
    if (points.doubts + 1 < DOUBTS) return { ...state, points: { ...points, doubts: points.doubts + 1 } };
  }
  return {
    ...state,
    points: { source: "guessed", ...shrink(points.source === "guessed" ? points : null, requestPoints) },
  };
}

/** Returns the limits after a 408: a smaller size. */
export function afterDeadline(state: LearnedLimits, requestPoints: number): LearnedLimits {
  return { ...state, deadline: narrow(state.deadline, requestPoints) };
}

/** Returns the limits after a complete response. */
export function afterSuccess(state: LearnedLimits, requestPoints: number): LearnedLimits {
  return { points: pointsAfterSuccess(state, requestPoints), deadline: deadlineAfterSuccess(state, requestPoints) };
}

function pointsAfterSuccess({ points, deadline }: LearnedLimits, passed: number): LearnedLimits["points"] {
  if (points.source === "none") return points;
  if (points.source === "guessed") {
    const grown = grow(points, passed);
    return grown.value >= CEILING_POINTS && grown.refused === null
      ? { source: "none" }
      : { source: "guessed", ...grown };
  }
  // More than the stated limit passed: it has risen, by an unknown amount.
  if (passed > points.value)
    return { source: "guessed", value: passed, refused: null, proven: passed, streak: 0, caution: 0 };
  if (!isNear(passed, points.value)) return points;
  // Occasionally one request is larger: only a refusal shows where a raised limit is now. Not while the deadline keeps
  // requests small anyway.
  const streak = deadline === null ? points.streak + 1 : 0;
  if (streak < PROBE_AFTER) return { ...points, doubts: 0, streak };
  return { source: "guessed", value: points.value * 2, refused: null, proven: points.value, streak: 0, caution: 0 };
}

function deadlineAfterSuccess({ deadline }: LearnedLimits, passed: number): DeadlineSize | null {
  const widened = deadline && widen(deadline, passed);
  return widened && widened.value < CEILING_POINTS ? widened : null;
}
