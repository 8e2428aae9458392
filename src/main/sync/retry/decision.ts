import type { ServiceError } from "#shared/service/error.ts";
import type { QueuedRequest, Replacement } from "../requestQueue.ts";

/**
 * What follows a failed request:
 *
 * - continue: the job continues; `replacement` is sent instead of the request, after `waitMs`
 * - verify: the next decision (`onVerified`) depends on whether the service answers a control request: any of the job
 *   (rest), other times of the same station (station), or other stations (others)
 * - giveUpRest: the service provides nothing for this job; the rest is not requested
 * - stop: nothing more is available now, for the whole job
 */
export type RetryDecision =
  | { readonly kind: "continue"; readonly replacement: Replacement; readonly waitMs: number }
  | {
      readonly kind: "verify";
      readonly about: "rest" | "station" | "others";
      readonly failed: QueuedRequest;
      readonly error: ServiceError;
    }
  | { readonly kind: "giveUpRest"; readonly error: ServiceError }
  | { readonly kind: "stop"; readonly state: "needsKey" | "broken"; readonly error: ServiceError };

export function continueWith(replacement: Replacement = {}, waitMs = 0): RetryDecision {
  return { kind: "continue", replacement, waitMs };
}

export function giveUpRest(error: ServiceError): RetryDecision {
  const message = `${error.message} Smaller requests, down to a single observation, and requests for other parts failed too. The rest was not requested.`;
  return { kind: "giveUpRest", error: { ...error, message } };
}
