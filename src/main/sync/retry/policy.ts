import type { ServiceError } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { afterDeadline, afterSuccess, afterTooLarge, allowedPoints, type LearnedLimits } from "../../planner/limits.ts";
import { meaningOf } from "../../planner/failures.ts";
import { splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import { type AttemptHistory, NOT_ATTEMPTED, type QueuedRequest, type Replacement } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, DelayedRetry, giveUpRest, type RetryDecision, withHistory } from "./decision.ts";
import { Division, SmallestRequests, UnavailableVariables } from "./division.ts";
import { ExcludedStations, FORBIDDEN, refusalOf, SHIFTED } from "./excluded.ts";
import { Losses, Refusals, UnsettledResponses } from "./failures.ts";

/** The job ends after this many delayed requests in a row… */
const MAX_DELAYED = 200;
/** …or after ten minutes of delays, but not before a few requests were delayed. */
const MAX_DELAYED_MS = 600_000;
const MIN_DELAYED = 5;

/** Requests that the service delays (429). */
class Throttling {
  readonly #session: Session;
  readonly #statistics: JobStatistics;
  #delayedInARow = 0;
  #delayedSinceMs = 0;

  constructor(session: Session, statistics: JobStatistics) {
    this.#session = session;
    this.#statistics = statistics;
  }

  delay(failed: QueuedRequest, error: ServiceError): RetryDecision {
    this.#statistics.putOff();
    const nowMs = this.#session.clock.monotonicMs();
    if (this.#delayedInARow++ === 0) this.#delayedSinceMs = nowMs;
    const isLong = this.#delayedInARow > MIN_DELAYED && nowMs - this.#delayedSinceMs >= MAX_DELAYED_MS;
    if (this.#delayedInARow > MAX_DELAYED || isLong) {
      const message = `${error.message} It delayed ${count(this.#delayedInARow)} requests in a row.`;
      return { kind: "stop", state: "broken", error: { ...error, message } };
    }
    return continueWith({ first: [failed] });
  }

  onSuccess(): void {
    this.#delayedInARow = 0;
  }
}

interface RetryPolicyContext {
  readonly statistics: JobStatistics;
  readonly epochSecondsOf: EpochSecondsLookup;
  /** The requests for what is still missing within one request, by the limits known when each is made. */
  readonly replan: (request: PlannedRequest) => Iterable<PlannedRequest>;
}

/** Requests of one station with fewer points are divided without asking whether the whole station is refused. */
const MIN_VERIFIED_POINTS = 16;
/** Small requests that show whether the whole station is refused: at the start, the middle and the end of its range. */
const STATION_CONTROLS = 3;

/** Attempts at the smallest request before it is given up, if its failure may be temporary. */
const MAX_ATTEMPTS = 3;

/**
 * Decides what follows each kind of failure. Size errors change the size of requests, load errors their concurrency,
 * never the other way round. Whatever fails repeatedly is too large or contains something unavailable, whatever its
 * status: it is halved until the unavailable part is a single observation or interval of one variable.
 *
 * Everything is bounded. An unavailable part costs at most two requests per halving from the request down to it, and
 * five for itself (from the ninth part on, one). After each 16 such parts the smallest request becomes eight times as
 * large (`floorPoints`), so a job of n points gives up at most 16 · (1 + log8 n) parts before it stops dividing. A
 * service that refuses everything is left after three parts, which takes about 100 requests and never more than 300.
 */
export class RetryPolicy {
  readonly #session: Session;
  readonly #context: RetryPolicyContext;
  readonly #excluded;
  readonly #unavailable = new UnavailableVariables();
  readonly #smallest;
  readonly #division;
  readonly #delayedRetry;
  readonly #refusals;
  readonly #losses;
  readonly #unsettled;
  readonly #throttling;
  /** Whether the service refused another station, too, when it was asked in order to compare: perhaps it refuses all. */
  #mayRefuseAll = false;
  /** Stations of which something was answered: they are not refused as a whole. */
  readonly #answered = new Set<string | undefined>();

  constructor(session: Session, context: RetryPolicyContext) {
    this.#session = session;
    this.#context = context;
    this.#excluded = new ExcludedStations(session, context.statistics);
    this.#smallest = new SmallestRequests(context.statistics, this.#unavailable);
    this.#division = new Division({
      session,
      epochSecondsOf: context.epochSecondsOf,
      replan: context.replan,
      smallest: this.#smallest,
      unavailable: this.#unavailable,
    });
    this.#delayedRetry = new DelayedRetry(session, context.statistics);
    const parts = {
      session,
      statistics: context.statistics,
      epochSecondsOf: context.epochSecondsOf,
      division: this.#division,
      smallest: this.#smallest,
      unavailable: this.#unavailable,
      delayedRetry: this.#delayedRetry,
    };
    this.#refusals = new Refusals(parts);
    this.#losses = new Losses(parts);
    this.#unsettled = new UnsettledResponses(parts);
    this.#throttling = new Throttling(session, context.statistics);
  }

  beforeSending({ failures }: AttemptHistory): void {
    if (failures === 0) this.#delayedRetry.onFirstAttempt();
  }

  onSuccess(done: QueuedRequest): void {
    const { request } = done;
    for (const id of request.stationIds) this.#answered.add(id);
    this.#smallest.onSuccess(done);
    this.#refusals.onSuccess();
    this.#unavailable.onArrived(request.variables);
    this.#unsettled.onSuccess();
    this.#throttling.onSuccess();
    this.#session.learn(afterSuccess(this.#session.limits(), request.points));
    this.#losses.onSuccess(done);
  }

  /** The times of some stations are shifted: nothing of the response was stored. */
  onShifted({ request }: QueuedRequest, stationIds: readonly string[]): RetryDecision {
    this.#excluded.exclude(stationIds, "unusable", SHIFTED);
    const rest = this.#excluded.permitted(request);
    return continueWith(rest ? { first: withHistory([rest], NOT_ATTEMPTED) } : {});
  }

  onError(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const { request, history } = failed;
    switch (meaningOf(error).reaction) {
      case "repeat":
        return this.#losses.lose(failed, error);
      case "repeatOnce":
        if (this.#session.limiter.outage() !== null) return { kind: "stop", state: "broken", error };
        return history.failures < 1
          ? this.#delayedRetry.later({ request, history: { ...history, failures: 1 } }, error)
          : this.#refusals.refuse(failed, error, 2);
      case "narrow":
        return error.kind === "deadline"
          ? this.#refusals.refuse(failed, error, MAX_ATTEMPTS, afterDeadline(this.#session.limits(), request.points))
          : this.#refusals.refuse(failed, error, 1, this.#limitsAfterTooLarge(request, error));
      case "halve":
        return this.#unsettled.retry(failed, error);
      case "wait":
        return this.#throttling.delay(failed, error);
      case "isolate":
        if (error.kind !== "forbidden" && !this.#isWhole(request)) return this.#refusals.refuse(failed, error, 1);
        return this.#isolate(failed, error);
      case "stop":
        return { kind: "stop", state: error.kind === "unauthorized" ? "needsKey" : "broken", error };
      case "none":
        return continueWith();
    }
  }

  /** @param isAnswered whether the service answered a control request */
  onVerified(
    { about, failed, error }: RetryDecision & { readonly kind: "verify" },
    isAnswered: boolean,
  ): RetryDecision {
    if (about === "request") {
      if (!isAnswered) return this.#delayedRetry.later(failed, error, true);
      this.#smallest.giveUpVerified(failed, error);
      return continueWith();
    }
    if (about === "station") {
      if (isAnswered) {
        this.#answered.add(failed.request.stationIds[0]);
        return this.#refusals.refuse(failed, error, 1);
      }
      return this.#compare(failed, error);
    }
    if (about === "others") {
      this.#mayRefuseAll = !isAnswered;
      return this.#giveUpStation(failed, error, isAnswered);
    }
    this.#smallest.resetStreak();
    if (!isAnswered) return this.#unavailable.confirm(failed.request) ? continueWith() : giveUpRest(error);
    this.#refusals.onControlAnswered();
    return continueWith();
  }

  /** Returns the request without stations of which nothing can be had; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null {
    return this.#excluded.permitted(request);
  }

  /** Returns parts of a request that is larger than the limits learned since it was made; null if it is not. */
  withinLimits({ request, history }: QueuedRequest): Replacement | null {
    return request.points > allowedPoints(this.#session.limits()) ? this.#division.byLimits(request, history) : null;
  }

  forbiddenIds(): readonly string[] {
    return this.#excluded.forbiddenIds();
  }

  /** Whether an invalid request may be so for its only station. */
  #isWhole({ stationIds, points }: PlannedRequest): boolean {
    return stationIds.length === 1 && points >= MIN_VERIFIED_POINTS && !this.#answered.has(stationIds[0]);
  }

  /**
   * A refusal that may concern one of several stations, or a single one: that is requested once more after the others,
   * because a service that restarts may refuse for a moment what it allows.
   */
  #isolate(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const { request, history } = failed;
    if (request.stationIds.length > 1) {
      const halves = splitStations(request, this.#context.epochSecondsOf);
      return continueWith({ first: withHistory(halves ?? [], NOT_ATTEMPTED) });
    }
    const isFirst = history.commitsAtFirstLoss === null;
    const commitsAtFirstLoss = history.commitsAtFirstLoss ?? this.#session.commits();
    const again = { request, history: { ...history, failures: history.failures + 1, commitsAtFirstLoss } };
    if (isFirst) return this.#delayedRetry.later(again, error, true);
    if (error.kind !== "forbidden")
      return { kind: "verify", about: "station", failed: again, error, maxRequests: STATION_CONTROLS };
    return this.#compare(again, error);
  }

  /**
   * The whole station is refused. If no other was answered since its first refusal, another is requested, which shows
   * whether the service refuses everything for a moment.
   */
  #compare(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const wereOthersAnswered = this.#session.commits() > (failed.history.commitsAtFirstLoss ?? 0);
    return wereOthersAnswered || this.#mayRefuseAll
      ? this.#giveUpStation(failed, error, wereOthersAnswered)
      : { kind: "verify", about: "others", failed, error, maxRequests: 1 };
  }

  #limitsAfterTooLarge({ points, variables }: PlannedRequest, { limitPoints }: ServiceError): LearnedLimits {
    return afterTooLarge(this.#session.limits(), points, limitPoints, variables.length);
  }

  /** @param isRemembered whether the profile remembers it: the service answers requests of other stations */
  #giveUpStation({ request, history }: QueuedRequest, error: ServiceError, isRemembered: boolean): RetryDecision {
    const kind = refusalOf(error);
    const refusal = { kind, reason: kind === "forbidden" ? FORBIDDEN : error.message };
    this.#excluded.exclude(request.stationIds, kind, refusal.reason);
    if (isRemembered)
      for (const id of request.stationIds) this.#session.profile.refuse(id, refusal, this.#session.serverNowMs());
    if (kind !== "forbidden") return this.#smallest.giveUp({ request, history }, error);
    this.#context.statistics.givenUp(request, error.kind, error.message);
    return continueWith();
  }
}
