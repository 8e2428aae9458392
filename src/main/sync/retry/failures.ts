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
export class Refusals {
  readonly #context: FailureContext;
  #refusedInARow = 0;
  /** The limits known before the current run of refusals. */
  #limitsBefore;

  constructor(context: FailureContext) {
    this.#context = context;
    this.#limitsBefore = context.session.limits();
  }

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
    learned: LearnedLimits | null = null,
  ): RetryDecision {
    const { request, history } = failed;
    const known = this.#context.session.limits();
    if (learned) {
      if (this.#refusedInARow === 0) this.#limitsBefore = known;
      this.#context.session.learn(learned);
    }
    this.#refusedInARow++;
    markHalfFailed(history);
    if (this.#refusedInARow > MAX_REFUSALS) return giveUpRest(error);
    if (this.#context.unavailable.includesAllOf(request)) return this.#context.smallest.giveUp(failed, error);
    const before = history.limitsBefore ?? known;
    const parts = this.#context.division.afterRefusal(
      failed,
      error.kind,
      learned && (isExplained(learned) ? learned : before),
    );
    if (parts !== null) {
      this.#context.statistics.split();
      return continueWith(parts);
    }
    // Its size is not the reason, so it was not the reason for the larger request either.
    if (learned) this.#context.session.learn(history.failures === 0 ? before : known);
    const failures = history.failures + 1;
    const again = { request, history: { ...history, failures } };
    const mayPass =
      failures < this.#context.smallest.maxAttempts(maxAttempts, failures === 1) &&
      this.#refusedInARow < MAX_RETRIED_REFUSALS;
    return mayPass ? this.#context.delayedRetry.later(again, error) : this.#context.smallest.giveUp(again, error);
  }

  onSuccess(): void {
    this.#refusedInARow = 0;
  }

  /** The service answered a control request: size was not the reason, so later requests may be as large as before. */
  onControlAnswered(): void {
    if (this.#refusedInARow > 0) this.#context.session.learn(this.#limitsBefore);
    this.#refusedInARow = 0;
  }
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
export class Losses {
  readonly #context: FailureContext;
  #proofsOfSize = 0;

  constructor(context: FailureContext) {
    this.#context = context;
  }

  lose(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const { request, history } = failed;
    // If no connection was established, the request is not to blame.
    if (error.isUnsent) return this.#context.delayedRetry.later(failed, error);
    markHalfFailed(history);
    const failures = history.failures + 1;
    const commitsAtFirstLoss = history.commitsAtFirstLoss ?? this.#context.session.commits();
    const again = { request, history: { ...history, failures, commitsAtFirstLoss } };
    if (this.#context.unavailable.includesAllOf(request)) return this.#context.smallest.giveUp(again, error);
    if (failures < 2) return this.#context.delayedRetry.later(again, error);
    const bySize =
      allowedPoints(this.#context.session.limits()) < request.points ? this.#context.division.byLimits(request) : null;
    // During an outage, halves that pass prove nothing.
    const halvingTrial: HalvingTrial | null =
      this.#context.session.limiter.outage() === null
        ? { points: request.points, remaining: 2, hasFailed: false }
        : null;
    const historyOfParts = { ...NOT_ATTEMPTED, failures: 1, halvingTrial, halvings: history.halvings + 1 };
    const parts = bySize ?? this.#context.division.afterLoss(failed, historyOfParts);
    if (parts) {
      this.#context.statistics.split();
      return continueWith(parts);
    }
    if (failures <= this.#context.smallest.maxAttempts(MAX_LOST_ATTEMPTS, failures === 2)) {
      return this.#context.delayedRetry.later(again, error, true);
    }
    if (this.#context.session.commits() > commitsAtFirstLoss) return this.#context.smallest.giveUp(again, error);
    return { kind: "verify", about: "request", failed: again, error, maxRequests: 1 };
  }

  onSuccess({ history: { halvingTrial } }: QueuedRequest): void {
    if (!halvingTrial || --halvingTrial.remaining > 0 || halvingTrial.hasFailed) return;
    if (++this.#proofsOfSize < PROOFS_OF_SIZE) return;
    this.#proofsOfSize = 0;
    this.#context.session.learn(afterDeadline(this.#context.session.limits(), halvingTrial.points));
  }
}

/** Unusable responses may cost this many requests beyond the planned ones, plus one per good response. */
const MAX_CREDIT = 128;
/** Attempts at the smallest request whose response is unusable. */
const MAX_UNSETTLED_ATTEMPTS = 2;

/** Requests whose response is unusable. */
export class UnsettledResponses {
  readonly #context: FailureContext;
  #credit = MAX_CREDIT;

  constructor(context: FailureContext) {
    this.#context = context;
  }

  /** Requests the same again, in halves if possible. */
  retry({ request, history }: QueuedRequest, error: ServiceError): RetryDecision {
    markHalfFailed(history);
    const failures = history.failures + 1;
    const halves = this.#credit >= 2 ? splitDoubtful(request, this.#context.epochSecondsOf) : null;
    const again = halves
      ? [...withHistory(halves, NOT_ATTEMPTED)]
      : failures < MAX_UNSETTLED_ATTEMPTS
        ? [{ request, history: { ...history, failures } }]
        : [];
    if (again.length > this.#credit || again.length === 0) {
      this.#context.statistics.givenUp(request, error.kind, error.message);
      return continueWith();
    }
    this.#credit -= again.length;
    this.#context.statistics.retried();
    return continueWith({ first: again }, halves ? 0 : backoffMs(history.failures, this.#context.session.random()));
  }

  onSuccess(): void {
    this.#credit = Math.min(MAX_CREDIT, this.#credit + 1);
  }
}
