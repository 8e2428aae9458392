import type { ServiceError } from "#shared/service/error.ts";
import { attemptsAt, meaningOf } from "../../planner/failures.ts";
import {
  afterRefusal,
  afterStatement,
  afterSuccess,
  allowedPoints,
  floorPoints,
  type LearnedLimits,
} from "../../planner/limits.ts";
import { MIN_OUTAGE_FAILURES } from "../../planner/outage.ts";
import { type Halves, splitRequest, splitStations, splitUnusable, splitVariables } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import {
  type AttemptHistory,
  type HalvingTrial,
  NOT_ATTEMPTED,
  type QueuedRequest,
  type Replacement,
  withHistory,
} from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, giveUpRest, type RetryDecision } from "./decision.ts";
import { ExcludedStations, FORBIDDEN, refusalOf, SHIFTED } from "./excluded.ts";
import { LostStations, MIN_VERIFIED_POINTS } from "./lostStations.ts";
import { DelayedRetry, PausedRequests } from "./waits.ts";

interface RetryPolicyContext {
  readonly statistics: JobStatistics;
  readonly epochSecondsOf: EpochSecondsLookup;
  /** The requests for what is still missing within one request, by the limits known when each is made. */
  readonly replan: (request: PlannedRequest) => Iterable<PlannedRequest>;
}

/** Requests that fail in a row, of any size, before control requests test whether the service delivers anything. */
const FAILED_BEFORE_CONTROLS = 16;
/** Control requests in a row without a row, some of them failed, before the rest is given up: a variable may be sparse. */
const MAX_UNDECIDED = 3;
/** After so many have failed, the smallest requests are no longer repeated: a whole station or several years may be unavailable. */
const MAX_REPEATED = 8;
/** One lost connection proves nothing about the size of a request; two prove it if their halves arrive. */
const LOSSES_PER_PROOF = 2;

/**
 * Decides what follows each kind of failure. Size errors change the size of requests, load errors their concurrency,
 * never the other way round. One rule for all: whatever fails repeatedly is halved, down to a single observation of one
 * variable, which is given up. If both halves of a request are answered, its size was the reason, and is remembered.
 *
 * Everything is bounded. An unavailable part costs at most two requests per halving from the request down to it. After
 * each 16 such parts the smallest request becomes eight times as large (`floorPoints`), so a job of n points gives up at
 * most 16 · (1 + log8 n) parts. After sixteen failures in a row, control requests decide whether the rest is requested.
 */
export class RetryPolicy {
  readonly #session: Session;
  readonly #context: RetryPolicyContext;
  readonly #excluded;
  readonly #delayedRetry;
  readonly #pausedRequests;
  #givenUp = 0;
  #smallestFailed = 0;
  #failedInARow = 0;
  #undecidedInARow = 0;
  #provenLosses = 0;
  /** Whether the service refused another station, too, when it was asked in order to compare: perhaps it refuses all. */
  #mayRefuseAll = false;
  readonly #stations;
  /** Whether a lost request arrived when it was repeated: then loss says nothing about a request or its size. */
  #isByChance = false;
  /** The size learned before losses changed it. */
  #sizeBeforeLosses: Pick<LearnedLimits, "size"> | null = null;
  /** Stations whose times one response had shifted. */
  readonly #shifted = new Set<string>();

  constructor(session: Session, context: RetryPolicyContext) {
    this.#session = session;
    this.#context = context;
    this.#stations = new LostStations(session);
    this.#excluded = new ExcludedStations(session, context.statistics);
    this.#delayedRetry = new DelayedRetry(session, context.statistics);
    this.#pausedRequests = new PausedRequests(session, context.statistics);
  }

  beforeSending({ failures }: AttemptHistory): void {
    if (failures === 0) this.#delayedRetry.onFirstAttempt();
  }

  /** @param hasRows a response without rows does not show that the service delivers data */
  onSuccess({ request, history: { trial, isRepeated } }: QueuedRequest, hasRows: boolean): void {
    if (isRepeated && !this.#isByChance) this.#lossesAreChance();
    for (const id of request.stationIds) this.#stations.answers(id);
    if (hasRows) {
      this.#failedInARow = 0;
      this.#undecidedInARow = 0;
    }
    this.#pausedRequests.onSuccess();
    this.#session.learn(afterSuccess(this.#session.limits(), request.points));
    if (!trial || --trial.remaining > 0 || trial.hasFailed) return;
    const isLoss = meaningOf(trial).reach === "lost";
    if (isLoss && (this.#isByChance || ++this.#provenLosses % LOSSES_PER_PROOF > 0)) return;
    if (isLoss) this.#sizeBeforeLosses ??= { size: this.#session.limits().size };
    this.#session.learn(afterRefusal(this.#session.limits(), trial.points));
  }

  /** The times of some stations are shifted: nothing of the response was stored. A second response has to agree. */
  onShifted({ request }: QueuedRequest, stationIds: readonly string[]): RetryDecision {
    const again = stationIds.filter((id) => this.#shifted.has(id));
    this.#excluded.exclude(again, "unusable", SHIFTED);
    for (const id of stationIds) this.#shifted.add(id);
    const rest = this.#excluded.permitted(request);
    return continueWith(rest ? { first: [{ request: rest, history: NOT_ATTEMPTED }] } : {});
  }

  onError(failed: QueuedRequest, error: ServiceError): RetryDecision {
    switch (meaningOf(error).reaction) {
      case "narrow":
        return this.#narrow(failed, error);
      case "isolate":
        return this.#isolate(failed, error);
      case "wait":
        return this.#pausedRequests.pause(failed, error);
      case "stop":
        return { kind: "stop", state: error.kind === "unauthorized" ? "needsKey" : "broken", error };
      case "none":
        return continueWith();
    }
  }

  /** @param isAnswered whether the service answered a control request; null if that is undecided */
  onVerified(
    { about, failed, error }: RetryDecision & { readonly kind: "verify" },
    isAnswered: boolean | null,
  ): RetryDecision {
    switch (about) {
      case "station":
        if (!isAnswered) return this.#compare(failed, error);
        this.#stations.answers(failed.request.stationIds[0]);
        return this.#narrow(failed, error);
      case "others":
        if (!isAnswered && meaningOf(error).reach === "lost") {
          // Nothing else was answered either, so it is not the station alone.
          this.#stations.treatAsAnswered(failed.request.stationIds[0]);
          return this.#narrow(failed, error);
        }
        this.#mayRefuseAll = !isAnswered;
        return this.#giveUpStation(failed, error, isAnswered === true);
      case "rest":
        this.#undecidedInARow = isAnswered === null ? this.#undecidedInARow + 1 : 0;
        return isAnswered === false || this.#undecidedInARow === MAX_UNDECIDED
          ? giveUpRest(error)
          : this.onError(failed, error);
    }
  }

  /** Returns the request without stations of which nothing can be had; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null {
    return this.#excluded.permitted(request);
  }

  /**
   * What is sent instead of a request: one without the stations of which nothing arrived lately, and those alone; or parts
   * within the limits learned since it was made. Null: the request itself.
   */
  instead(queued: QueuedRequest): Replacement | null {
    return this.#stations.apart(queued) ?? this.#withinLimits(queued);
  }

  /** Parts of a request that is larger than the limits learned since it was made; null if it is not. */
  #withinLimits({ request, history }: QueuedRequest): Replacement | null {
    const allowed = allowedPoints(this.#session.limits());
    if (request.points <= allowed || allowed < this.#floorPoints()) return null;
    const parts = this.#context.replan(request);
    return { first: withHistory(parts, { ...history, trial: null }) };
  }

  forbiddenIds(): readonly string[] {
    return this.#excluded.forbiddenIds();
  }

  /** Counts a failure. @returns whether control requests have to show that the service delivers anything */
  #fails(): boolean {
    if (++this.#failedInARow < FAILED_BEFORE_CONTROLS) return false;
    this.#failedInARow = 0;
    return true;
  }

  #lossesAreChance(): void {
    this.#isByChance = true;
    if (this.#sizeBeforeLosses) this.#session.learn({ ...this.#session.limits(), ...this.#sizeBeforeLosses });
  }

  #floorPoints(): number {
    return floorPoints(this.#givenUp);
  }

  /** Sends a request again, in halves if it failed as often as its kind of failure allows. */
  #narrow({ request, history }: QueuedRequest, error: ServiceError): RetryDecision {
    const outage = this.#session.limiter.outage();
    const { reach } = meaningOf(error);
    if (reach === "obstructed" && outage !== null) return { kind: "stop", state: "broken", error };
    // Neither an outage nor a connection that was not established is the fault of the request. The loss with which an
    // outage begins may be.
    const isInOutage = outage !== null && outage.failures > MIN_OUTAGE_FAILURES;
    if (reach === "lost" && (error.isUnsent === true || isInOutage))
      return this.#delayedRetry.later({ request, history }, error);
    if (history.trial) history.trial.hasFailed = true;
    this.#session.learn(afterStatement(this.#session.limits(), request.points, error.limitPoints));
    const parts = this.#withinLimits({ request, history });
    if (parts) {
      this.#context.statistics.split();
      return continueWith(parts);
    }
    // What is wrong with unusable responses may not show in a single observation.
    if (error.kind !== "unusable" && this.#fails())
      return { kind: "verify", about: "rest", failed: { request, history }, error };
    if (reach === "lost" && this.#stations.seemsDead(request))
      return { kind: "verify", about: "station", failed: { request, history }, error };
    const { large: usual, smallest } = attemptsAt(error);
    const isByChance = reach === "lost" && this.#isByChance;
    const large = isByChance ? smallest : usual;
    const again = { request, history: { ...history, failures: history.failures + 1, isRepeated: true } };
    if (again.history.failures < large) return this.#delayedRetry.later(again, error);
    const halves = this.#halve(again, error);
    if (halves) {
      this.#context.statistics.split();
      const trial: HalvingTrial = { points: request.points, kind: error.kind, remaining: 2, hasFailed: false };
      const own = halves.every(({ points }) => points < request.points) ? trial : null;
      const of = { ...NOT_ATTEMPTED, failures: isByChance ? 0 : large - 1, trial: own, halvings: history.halvings + 1 };
      return continueWith({ first: withHistory(halves, of) });
    }
    if (again.history.failures === large) this.#smallestFailed++;
    const isRepeated = again.history.failures < smallest && this.#smallestFailed <= MAX_REPEATED;
    return isRepeated ? this.#delayedRetry.later(again, error) : this.#giveUp(request, error);
  }

  /** In time first, then alternating with stations while it keeps failing: a whole station may be unavailable. */
  #halve({ request, history }: QueuedRequest, { kind }: ServiceError): Halves | null {
    const { epochSecondsOf } = this.#context;
    const floor = this.#floorPoints();
    if (kind === "unusable") return splitUnusable(request, epochSecondsOf, floor);
    const isSmall = request.points <= floor;
    const byStation = isSmall || history.halvings % 2 === 1 ? splitStations(request, epochSecondsOf) : null;
    return byStation ?? (isSmall ? splitVariables(request) : splitRequest(request, epochSecondsOf));
  }

  #giveUp(request: PlannedRequest, error: ServiceError): RetryDecision {
    this.#context.statistics.givenUp(request, error.kind, error.message);
    this.#givenUp++;
    return continueWith();
  }

  /**
   * A refusal that may concern one of several stations, or a single one: that is requested once more after the others,
   * because a service that restarts may refuse for a moment what it allows.
   */
  #isolate(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const { request, history } = failed;
    const halves = splitStations(request, this.#context.epochSecondsOf);
    if (halves) return continueWith({ first: withHistory(halves, NOT_ATTEMPTED) });
    const isForbidden = error.kind === "forbidden";
    const mayBeWhole = request.points >= MIN_VERIFIED_POINTS && !this.#stations.isAnswered(request.stationIds[0]);
    if (!isForbidden && !mayBeWhole) return this.#narrow(failed, error);
    if (!isForbidden && this.#fails()) return { kind: "verify", about: "rest", failed, error };
    if (history.commitsAtRefusal === null) {
      const again = { ...history, failures: history.failures + 1, commitsAtRefusal: this.#session.commits() };
      return this.#delayedRetry.later({ request, history: again }, error, true);
    }
    return isForbidden ? this.#compare(failed, error) : { kind: "verify", about: "station", failed, error };
  }

  /**
   * The whole station is refused. If no other was answered since its first refusal, another is requested, which shows
   * whether the service refuses everything for a moment.
   */
  #compare(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const isLoss = meaningOf(error).reach === "lost";
    const { commitsAtRefusal } = failed.history;
    const wereOthersAnswered = isLoss
      ? this.#stations.isAnyAnswered()
      : this.#session.commits() > (commitsAtRefusal ?? 0);
    return wereOthersAnswered || this.#mayRefuseAll
      ? this.#giveUpStation(failed, error, wereOthersAnswered)
      : { kind: "verify", about: "others", failed, error };
  }

  /** @param isRemembered whether the profile remembers it: the service answers requests of other stations */
  #giveUpStation({ request }: QueuedRequest, error: ServiceError, isRemembered: boolean): RetryDecision {
    const kind = refusalOf(error);
    const refusal = { kind, reason: kind === "forbidden" ? FORBIDDEN : error.message };
    this.#excluded.exclude(request.stationIds, kind === "lost" ? error.kind : kind, refusal.reason);
    if (isRemembered)
      for (const id of request.stationIds) this.#session.profile.refuse(id, refusal, this.#session.serverNowMs());
    if (kind !== "forbidden") return this.#giveUp(request, error);
    this.#context.statistics.givenUp(request, error.kind, error.message);
    return continueWith();
  }
}
