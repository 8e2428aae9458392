import type { ServiceError } from "#shared/service/error.ts";
import { afterFirstAttempt, backoffMs, startRetryBudget, takeRetry } from "../../planner/backoff.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, type RetryDecision } from "./decision.ts";

/** Retries within the job's retry budget. */
export interface DelayedRetry {
  /** A request that has not failed before is sent, which adds to the budget. */
  onFirstAttempt(): void;
  /**
   * Retries a request after a backoff; during an outage the limiter decides when.
   *
   * @param isLast whether it is sent after all other retries
   */
  later(failed: QueuedRequest, error: ServiceError, isLast?: boolean): RetryDecision;
}

export function createDelayedRetry({ clock, limiter, random }: Session, statistics: JobStatistics): DelayedRetry {
  let budget = startRetryBudget(clock.monotonicMs());
  return {
    onFirstAttempt() {
      budget = afterFirstAttempt(budget, clock.monotonicMs());
    },
    later(failed, error, isLast = false) {
      statistics.retried();
      const replacement = isLast ? { last: [failed] } : { first: [failed] };
      if (limiter.outage() !== null) return continueWith(replacement);
      const grant = takeRetry(budget, clock.monotonicMs());
      // If the budget is spent, the next token is reserved (a debt), so that waiting requests queue behind each other.
      budget = grant.granted ? grant.budget : { ...grant.budget, tokens: grant.budget.tokens - 1 };
      const waitMs = grant.waitMs + backoffMs(failed.history.failures, random());
      return continueWith(replacement, Math.max(error.retryAfterMs ?? 0, waitMs));
    },
  };
}
