import { z } from "zod";

/**
 * A limit found by trying. `value` is the size allowed now; `refused` the smallest size that was refused, null if none
 * is known; `proven` the largest that passed; `streak` counts successes near the value since it last changed.
 */
export const guessSchema = z.object({
  value: z.number().int().min(1),
  refused: z.number().int().min(1).nullable(),
  proven: z.number().int().min(0),
  streak: z.number().int().min(0),
});
type Guess = Readonly<z.infer<typeof guessSchema>>;

/** Successes near the value before it grows: enough that those still under way do not count for a larger one. */
const GROW_AFTER = 8;
/** Once value and refusal are this close, a closer search would cost more refusals than it gains. */
const CLOSE = 0.9;
/** After this many successes a refusal is out of date: the limit may have risen, and one more refusal is cheap. */
export const PROBE_AFTER = 250;

/** Requests end at round moments and seldom use the whole allowance; the planner uses about half of it or more. */
export function isNear(points: number, value: number): boolean {
  return points >= value * 0.4;
}

/** Returns the guess after a refusal: the largest size known to pass, otherwise half of the refused size; never more than before. */
export function shrink(guess: Guess | null, refusedPoints: number): Guess {
  const refused = Math.max(1, Math.min(refusedPoints, guess?.refused ?? Infinity));
  // A size that passed once and is refused now proves nothing any more: the limit has fallen.
  const proven = guess && guess.proven < refused ? guess.proven : 0;
  const half = Math.max(1, Math.floor(refusedPoints / 2));
  const value = Math.min(guess?.value ?? Infinity, Math.max(proven, half));
  return { value, refused, proven, streak: 0 };
}

/** Returns the guess after a success: halfway to the refused size; doubled if none is known; occasionally past an old refusal. */
export function grow(guess: Guess, passedPoints: number): Guess {
  const proven = Math.max(guess.proven, passedPoints);
  // A success at or above a refused size: the limit has risen.
  const refused = guess.refused !== null && passedPoints >= guess.refused ? null : guess.refused;
  const value = Math.max(guess.value, passedPoints);
  const streak = guess.streak + (isNear(passedPoints, guess.value) ? 1 : 0);
  const isClose = refused !== null && value >= refused * CLOSE;
  if (streak < (isClose ? PROBE_AFTER : GROW_AFTER)) return { value, refused, proven, streak };
  if (refused === null || isClose) return { value: value * 2, refused: null, proven, streak: 0 };
  return { value: Math.floor((value + refused) / 2), refused, proven, streak: 0 };
}
