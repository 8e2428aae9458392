import type { ServiceError } from "#shared/service/error.ts";
import { afterFirstAttempt, backoffMs, startRetryBudget, takeRetry } from "../../planner/retryBudget.ts";
import type { PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { AttemptHistory, QueuedRequest, Replacement } from "../requestQueue.ts";
import type { Session } from "../session.ts";

/**
 * What follows a failed request:
 *
 * - continue: the job continues; `replacement` is sent instead of the request, after `waitMs`
 * - verify: the next decision (`onVerified`) depends on whether the service answers one of at most `maxRequests` control
 *   requests. Nothing smaller can be requested, and they are about the rest of the job if the request was given up,
 *   otherwise about the request; or a whole station may be refused, and they are about other times of this station, or
 *   about other stations
 * - giveUpRest: the service provides nothing for this job; the rest is not requested
 * - stop: nothing more is available now, for the whole job
 */
export type RetryDecision =
  | { readonly kind: "continue"; readonly replacement: Replacement; readonly waitMs: number }
  | {
      readonly kind: "verify";
      readonly about: "rest" | "request" | "station" | "others";
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

/** Retries within the job's retry budget. */
export class DelayedRetry {
  readonly #session: Session;
  readonly #statistics: JobStatistics;
  #budget;

  constructor(session: Session, statistics: JobStatistics) {
    this.#session = session;
    this.#statistics = statistics;
    this.#budget = startRetryBudget(session.clock.monotonicMs());
  }

  /** A request that has not failed before is sent, which adds to the budget. */
  onFirstAttempt(): void {
    this.#budget = afterFirstAttempt(this.#budget, this.#session.clock.monotonicMs());
  }

  /**
   * Retries a request after a backoff; during an outage the limiter decides when.
   *
   * @param isLast whether it is sent after all other retries
   */
  later(failed: QueuedRequest, error: ServiceError, isLast: boolean = false): RetryDecision {
    this.#statistics.retried();
    const replacement = isLast ? { last: [failed] } : { first: [failed] };
    if (this.#session.limiter.outage() !== null) return continueWith(replacement);
    const grant = takeRetry(this.#budget, this.#session.clock.monotonicMs());
    // If the budget is spent, the next token is reserved (a debt), so that waiting requests queue behind each other.
    this.#budget = grant.granted ? grant.budget : { ...grant.budget, tokens: grant.budget.tokens - 1 };
    const waitMs = grant.waitMs + backoffMs(failed.history.failures, this.#session.random());
    return continueWith(replacement, Math.max(error.retryAfterMs ?? 0, waitMs));
  }
}
