import type { Result } from "#shared/service/error.ts";
import { type Clock, systemClock } from "../../sync/clock.ts";
import { reachOf } from "./connectivity.ts";

/** The waits before the second and the third time. */
const WAITS_MS = [500, 2_000];

/** Asks once or twice more where nothing answered: whoever types an address is to be told soon that it is wrong. */
export async function askedAgain<T>(
  ask: () => Promise<Result<T>>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Result<T>> {
  let answer = await ask();
  for (const waitMs of WAITS_MS) {
    if (answer.ok || reachOf(answer.error) !== "lost" || signal.aborted) return answer;
    await clock.sleep(Math.min(10_000, Math.max(waitMs, answer.error.retryAfterMs ?? 0)), signal);
    answer = await ask();
  }
  return answer;
}
