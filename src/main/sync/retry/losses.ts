import type { ServiceError } from "#shared/service/error.ts";
import { afterDeadline, allowedPoints } from "../../planner/limits.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { Permit } from "../limiter.ts";
import { type HalvingTrial, NOT_ATTEMPTED, type QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, type DelayedRetry, markHalfFailed, type RetryDecision } from "./decision.ts";
import type { Division, SmallestRequests, UnavailableVariables } from "./division.ts";

/** Attempts at the smallest request if there was no response: a bad line may lose every second request. */
const MAX_ATTEMPTS = 5;
/** Number of lost requests whose halves must both be answered before their size counts as the reason. */
const PROOFS_OF_SIZE = 2;

interface LossesContext {
  readonly session: Session;
  readonly statistics: JobStatistics;
  readonly division: Division;
  readonly smallest: SmallestRequests;
  readonly unavailable: UnavailableVariables;
  readonly delayedRetry: DelayedRetry;
}

/** Requests without a response: the connection or the request itself may be the cause. */
interface Losses {
  lose(failed: QueuedRequest, error: ServiceError, permit: Permit): RetryDecision;
  onSuccess(answered: QueuedRequest): void;
}

export function createLosses(context: LossesContext): Losses {
  const { session, statistics, division, smallest, unavailable, delayedRetry } = context;
  let proofsOfSize = 0;

  return {
    lose(failed, error, permit) {
      const { request, history } = failed;
      permit.lost(error);
      // If no connection was established, the request is not to blame.
      if (error.isUnsent) return delayedRetry.later(failed, error);
      markHalfFailed(history);
      const failures = history.failures + 1;
      const commitsAtFirstLoss = history.commitsAtFirstLoss ?? session.commits();
      const again = { request, history: { ...history, failures, commitsAtFirstLoss } };
      if (unavailable.includesAllOf(request)) return smallest.giveUp(again, error);
      if (failures < 2) return delayedRetry.later(again, error);
      const bySize = allowedPoints(session.limits()) < request.points ? division.byLimits(request) : null;
      // During an outage, halves that pass prove nothing.
      const halvingTrial: HalvingTrial | null =
        session.limiter.outage() === null ? { points: request.points, remaining: 2, hasFailed: false } : null;
      const historyOfParts = { ...NOT_ATTEMPTED, failures: 1, halvingTrial, halvings: history.halvings + 1 };
      const parts = bySize ?? division.afterLoss(failed, historyOfParts);
      if (parts) {
        statistics.split();
        return continueWith(parts);
      }
      if (failures <= smallest.maxAttempts(MAX_ATTEMPTS, failures === 2)) {
        return delayedRetry.later(again, error, true);
      }
      if (session.commits() > commitsAtFirstLoss) return smallest.giveUp(again, error);
      return { kind: "verify", about: "request", failed: again, error, maxRequests: 1 };
    },
    onSuccess({ history: { halvingTrial } }) {
      if (!halvingTrial || --halvingTrial.remaining > 0 || halvingTrial.hasFailed) return;
      if (++proofsOfSize < PROOFS_OF_SIZE) return;
      proofsOfSize = 0;
      session.learn(afterDeadline(session.limits(), halvingTrial.points));
    },
  };
}
