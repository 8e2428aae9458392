import type { ServiceError } from "#shared/service/error.ts";
import { backoffMs } from "../../planner/retryBudget.ts";
import { afterDeadline, allowedPoints, type LearnedLimits } from "../../planner/limits.ts";
import { splitDoubtful } from "../../planner/split.ts";
import type { EpochSecondsLookup } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import { type HalvingTrial, NOT_ATTEMPTED, type QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import {
  continueWith,
  type DelayedRetry,
  giveUpRest,
  markHalfFailed,
  type RetryDecision,
  withHistory,
} from "./decision.ts";
import type { Division, SmallestRequests, UnavailableVariables } from "./division.ts";

interface FailureContext {
  readonly session: Session;
  readonly statistics: JobStatistics;
  readonly epochSecondsOf: EpochSecondsLookup;
  readonly division: Division;
  readonly smallest: SmallestRequests;
  readonly unavailable: UnavailableVariables;
  readonly delayedRetry: DelayedRetry;
}

/** After this many refusals in a row the smallest requests are no longer retried. */
const MAX_RETRIED_REFUSALS = 50;
/** After this many in a row the job ends. */
const MAX_REFUSALS = 300;

/** Requests that the service answers with a refusal (400, 404, 408, 413). */
interface Refusals {
  /**
   * Requests the same again in parts that may be accepted.
   *
   * @param maxAttempts at the smallest request
   * @param learned the limits derived from this refusal; null if it says nothing about sizes
   */
  refuse(
    failed: QueuedRequest,
    error: ServiceError,
    maxAttempts: number,
    learned?: LearnedLimits | null,
  ): RetryDecision;
  onSuccess(): void;
  /** The service answered a control request: size was not the reason, so later requests may be as large as before. */
  onControlAnswered(): void;
}

export function createRefusals(context: FailureContext): Refusals {
  const { session, statistics, division, smallest, unavailable, delayedRetry } = context;
  let refusedInARow = 0;
  /** The limits known before the current run of refusals. */
  let limitsBefore = session.limits();

  return {
    refuse(failed, error, maxAttempts, learned = null) {
      const { request, history } = failed;
      const known = session.limits();
      if (learned) {
        if (refusedInARow === 0) limitsBefore = known;
        session.learn(learned);
      }
      refusedInARow++;
      markHalfFailed(history);
      if (refusedInARow > MAX_REFUSALS) return giveUpRest(error);
      if (unavailable.includesAllOf(request)) return smallest.giveUp(failed, error);
      const before = history.limitsBefore ?? known;
      const parts = division.afterRefusal(failed, error.kind, learned && (isExplained(learned) ? learned : before));
      if (parts !== null) {
        statistics.split();
        return continueWith(parts);
      }
      // Its size is not the reason, so it was not the reason for the larger request either.
      if (learned) session.learn(history.failures === 0 ? before : known);
      const failures = history.failures + 1;
      const again = { request, history: { ...history, failures } };
      const mayPass =
        failures < smallest.maxAttempts(maxAttempts, failures === 1) && refusedInARow < MAX_RETRIED_REFUSALS;
      return mayPass ? delayedRetry.later(again, error) : smallest.giveUp(again, error);
    },
    onSuccess() {
      refusedInARow = 0;
    },
    onControlAnswered() {
      if (refusedInARow > 0) session.learn(limitsBefore);
      refusedInARow = 0;
    },
  };
}

/** Whether the service stated the limit, and nothing contradicts it: it then holds, whatever else is wrong. */
function isExplained({ points }: LearnedLimits): boolean {
  return points.source === "stated" && points.doubts === 0;
}

/** Attempts at the smallest request if there was no response: a bad line may lose every second request. */
const MAX_LOST_ATTEMPTS = 5;
/** Number of lost requests whose halves must both be answered before their size counts as the reason. */
const PROOFS_OF_SIZE = 2;

/** Requests without a response: the connection or the request itself may be the cause. */
interface Losses {
  lose(failed: QueuedRequest, error: ServiceError): RetryDecision;
  onSuccess(answered: QueuedRequest): void;
}

export function createLosses(context: FailureContext): Losses {
  const { session, statistics, division, smallest, unavailable, delayedRetry } = context;
  let proofsOfSize = 0;

  return {
    lose(failed, error) {
      const { request, history } = failed;
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
      if (failures <= smallest.maxAttempts(MAX_LOST_ATTEMPTS, failures === 2)) {
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

/** Unusable responses may cost this many requests beyond the planned ones, plus one per good response. */
const MAX_CREDIT = 128;
/** Attempts at the smallest request whose response is unusable. */
const MAX_UNSETTLED_ATTEMPTS = 2;

/** Requests whose response is unusable. */
interface UnsettledResponses {
  /** Requests the same again, in halves if possible. */
  retry(failed: QueuedRequest, error: ServiceError): RetryDecision;
  onSuccess(): void;
}

export function createUnsettledResponses({ session, statistics, epochSecondsOf }: FailureContext): UnsettledResponses {
  let credit = MAX_CREDIT;
  return {
    retry({ request, history }, error) {
      markHalfFailed(history);
      const failures = history.failures + 1;
      const halves = credit >= 2 ? splitDoubtful(request, epochSecondsOf) : null;
      const again = halves
        ? [...withHistory(halves, NOT_ATTEMPTED)]
        : failures < MAX_UNSETTLED_ATTEMPTS
          ? [{ request, history: { ...history, failures } }]
          : [];
      if (again.length > credit || again.length === 0) {
        statistics.givenUp(request, error.kind, error.message);
        return continueWith();
      }
      credit -= again.length;
      statistics.retried();
      return continueWith({ first: again }, halves ? 0 : backoffMs(history.failures, session.random()));
    },
    onSuccess() {
      credit = Math.min(MAX_CREDIT, credit + 1);
    },
  };
}
