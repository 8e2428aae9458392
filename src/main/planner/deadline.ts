import { z } from "zod";
import { isNear } from "./guess.ts";

/**
 * The size at which answers come before the service's processing deadline. Unlike a size limit it is no fixed number:
 * it moves with the load of the service, so that a refusal proves nothing for long.
 */
export const deadlineSchema = z.object({
  value: z.number().int().min(1),
  /** Successes near the value since it last changed. */
  streak: z.number().int().min(0),
});
export type DeadlineSize = Readonly<z.infer<typeof deadlineSchema>>;

const GROW_AFTER = 8;
const GROW_BY = 1.1;

export function narrow(size: DeadlineSize | null, refusedPoints: number): DeadlineSize {
  const half = Math.max(1, Math.floor(refusedPoints / 2));
  return { value: Math.min(size?.value ?? Infinity, half), streak: 0 };
}

export function widen(size: DeadlineSize, passedPoints: number): DeadlineSize {
  const value = Math.max(size.value, passedPoints);
  const streak = size.streak + (isNear(passedPoints, size.value) ? 1 : 0);
  return streak < GROW_AFTER ? { value, streak } : { value: Math.ceil(value * GROW_BY), streak: 0 };
}
