import type { ServiceError } from "#shared/service/error.ts";
import type { PlannedRequest } from "../../planner/types.ts";
import type { AttemptHistory, QueuedRequest, Replacement } from "../requestQueue.ts";

/**
 * What follows a failed request:
 *
 * - continue: the job continues; `replacement` is sent instead of the request, after `waitMs`
 * - verify: nothing smaller can be requested. The next decision (`onVerified`) depends on whether the service answers
 *   one of at most `maxRequests` control requests: about the rest of the job if the request was given up, otherwise
 *   about the request
 * - giveUpRest: the service provides nothing for this job; the rest is not requested
 * - stop: nothing more is available now, for the whole job
 */
export type RetryDecision =
  | { readonly kind: "continue"; readonly replacement: Replacement; readonly waitMs: number }
  | {
      readonly kind: "verify";
      readonly about: "rest" | "request";
      readonly failed: QueuedRequest;
      readonly error: ServiceError;
      readonly maxRequests: number;
    }
  | { readonly kind: "giveUpRest"; readonly error: ServiceError }
  | { readonly kind: "stop"; readonly state: "needsKey" | "broken"; readonly error: ServiceError };

export function continueWith(replacement: Replacement = {}, waitMs = 0): RetryDecision {
  return { kind: "continue", replacement, waitMs };
}

export function giveUpRest(error: ServiceError): RetryDecision {
  const message = `${error.message} Requests were made smaller and smaller, down to a single observation, and other parts were tried, too; as none was answered, the rest was not asked.`;
  return { kind: "giveUpRest", error: { ...error, message } };
}

export function* withHistory(
  requests: Iterable<PlannedRequest>,
  history: AttemptHistory,
): IterableIterator<QueuedRequest> {
  for (const request of requests) yield { request, history };
}

/** Records that one half failed as well: the whole request was then not lost for its size alone. */
export function markHalfFailed({ halvingTrial }: AttemptHistory): void {
  if (halvingTrial) halvingTrial.hasFailed = true;
}
