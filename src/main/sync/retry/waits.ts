import type { ServiceError } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { afterFirstAttempt, backoffMs, startRetryBudget, takeRetry } from "../../planner/retryBudget.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, type RetryDecision } from "./decision.ts";

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

/** The job ends after this many paused requests in a row… */
const MAX_PAUSED = 200;
/** …or before the pauses last longer than ten minutes, but not before a few requests were paused. */
const MAX_PAUSED_MS = 600_000;
const MIN_PAUSED = 5;

/** Requests that the service puts off (429): they are sent again after the pause. */
export class PausedRequests {
  readonly #session: Session;
  readonly #statistics: JobStatistics;
  #inARow = 0;
  #sinceMs = 0;

  constructor(session: Session, statistics: JobStatistics) {
    this.#session = session;
    this.#statistics = statistics;
  }

  pause(failed: QueuedRequest, error: ServiceError): RetryDecision {
    this.#statistics.putOff();
    const { clock, limiter } = this.#session;
    const nowMs = clock.monotonicMs();
    if (this.#inARow++ === 0) this.#sinceMs = nowMs;
    const pauseMs = (limiter.pausedUntilMs() ?? clock.wallMs()) - clock.wallMs();
    const isLong = this.#inARow > MIN_PAUSED && nowMs + pauseMs - this.#sinceMs > MAX_PAUSED_MS;
    if (this.#inARow <= MAX_PAUSED && !isLong) return continueWith({ first: [failed] });
    const message = `${error.message} It delayed ${count(this.#inARow)} requests in a row.`;
    return { kind: "stop", state: "broken", error: { ...error, message } };
  }

  onSuccess(): void {
    this.#inARow = 0;
  }
}
