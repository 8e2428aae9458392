import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { afterDeadline, afterSuccess, afterTooLarge, allowedPoints, type LearnedLimits } from "../../planner/limits.ts";
import { meaningOf } from "../../planner/failures.ts";
import { splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import { type AttemptHistory, NOT_ATTEMPTED, type QueuedRequest, type Replacement } from "../requestQueue.ts";
import type { StationRefusal } from "../profile.ts";
import type { Session } from "../session.ts";
import { continueWith, createDelayedRetry, giveUpRest, type RetryDecision, withHistory } from "./decision.ts";
import { createDivision, createSmallestRequests, createUnavailableVariables } from "./division.ts";
import { createLosses, createRefusals, createUnsettledResponses } from "./failures.ts";

/** The job ends after this many delayed requests in a row… */
const MAX_DELAYED = 200;
/** …or after ten minutes of delays, but not before a few requests were delayed. */
const MAX_DELAYED_MS = 600_000;
const MIN_DELAYED = 5;

/** Requests that the service delays (429). */
interface Throttling {
  delay(failed: QueuedRequest, error: ServiceError): RetryDecision;
  onSuccess(): void;
}

function createThrottling({ clock }: Session, statistics: JobStatistics): Throttling {
  let delayedInARow = 0;
  let delayedSinceMs = 0;
  return {
    delay(failed, error) {
      statistics.putOff();
      const nowMs = clock.monotonicMs();
      if (delayedInARow++ === 0) delayedSinceMs = nowMs;
      const isLong = delayedInARow > MIN_DELAYED && nowMs - delayedSinceMs >= MAX_DELAYED_MS;
      if (delayedInARow > MAX_DELAYED || isLong) {
        const message = `${error.message} It delayed ${count(delayedInARow)} requests in a row.`;
        return { kind: "stop", state: "broken", error: { ...error, message } };
      }
      return continueWith({ first: [failed] });
    },
    onSuccess() {
      delayedInARow = 0;
    },
  };
}

/** The stations of which a job can get nothing: refused by the service (now or lately), or with shifted times. */
interface ExcludedStations {
  /** Requests nothing more of these stations in this job. */
  exclude(stationIds: readonly string[], kind: ServiceErrorKind, reason: string): void;
  /** The request without excluded stations; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  forbiddenIds(): readonly string[];
}

const FORBIDDEN = "The service refuses this station for the key in use.";
const SHIFTED =
  "The times of this station are shifted, perhaps to local time: its rows lie outside of the requested range. Nothing was stored. Tell the operator of the service.";

function createExcludedStations({ profile }: Session, statistics: JobStatistics): ExcludedStations {
  const excluded = new Map<string, { readonly kind: ServiceErrorKind; readonly reason: string }>(
    profile.refusedStations(),
  );
  const exclude: ExcludedStations["exclude"] = (stationIds, kind, reason) => {
    for (const id of stationIds) excluded.set(id, { kind, reason });
  };
  return {
    exclude,
    permitted(request) {
      const pointsEach = request.points / request.stationIds.length;
      const allowed = request.stationIds.filter((id) => !excluded.has(id));
      for (const id of request.stationIds) {
        const why = excluded.get(id);
        if (why) statistics.givenUp({ ...request, stationIds: [id], points: pointsEach }, why.kind, why.reason);
      }
      if (allowed.length === request.stationIds.length) return request;
      return allowed.length === 0 ? null : { ...request, stationIds: allowed, points: pointsEach * allowed.length };
    },
    forbiddenIds: () => [...excluded].flatMap(([id, { kind }]) => (kind === "forbidden" ? [id] : [])),
  };
}

interface RetryPolicyContext {
  readonly statistics: JobStatistics;
  readonly epochSecondsOf: EpochSecondsLookup;
  /** The requests for what is still missing within one request, by the limits known when each is made. */
  readonly replan: (request: PlannedRequest) => Iterable<PlannedRequest>;
}

export interface RetryPolicy {
  beforeSending(history: AttemptHistory): void;
  onSuccess(answered: QueuedRequest): void;
  /** The times of some stations are shifted: nothing of the response was stored. */
  onShifted(answered: QueuedRequest, stationIds: readonly string[]): RetryDecision;
  onError(failed: QueuedRequest, error: ServiceError): RetryDecision;
  /** @param isAnswered whether the service answered a control request */
  onVerified(decision: RetryDecision & { readonly kind: "verify" }, isAnswered: boolean): RetryDecision;
  /** Returns the request without stations of which nothing can be had; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  /** Returns parts of a request that is larger than the limits learned since it was made; null if it is not. */
  withinLimits(queued: QueuedRequest): Replacement | null;
  forbiddenIds(): readonly string[];
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
export function createRetryPolicy(session: Session, context: RetryPolicyContext): RetryPolicy {
  const { statistics, epochSecondsOf, replan } = context;
  const excluded = createExcludedStations(session, statistics);
  const unavailable = createUnavailableVariables();
  const smallest = createSmallestRequests(statistics, unavailable);
  const division = createDivision({ session, epochSecondsOf, replan, smallest, unavailable });
  const delayedRetry = createDelayedRetry(session, statistics);
  const parts = { session, statistics, epochSecondsOf, division, smallest, unavailable, delayedRetry };
  const refusals = createRefusals(parts);
  const losses = createLosses(parts);
  const unsettled = createUnsettledResponses(parts);
  const throttling = createThrottling(session, statistics);
  /** Stations of which something was answered: they are not refused as a whole. */
  const answered = new Set<string | undefined>();
  /** Whether an invalid request may be so for its only station. */
  const isWhole = ({ stationIds, points }: PlannedRequest): boolean =>
    stationIds.length === 1 && points >= MIN_VERIFIED_POINTS && !answered.has(stationIds[0]);

  /**
   * A refusal that may concern one of several stations, or a single one: that is requested once more after the others,
   * because a service that restarts may refuse for a moment what it allows.
   */
  function isolate(failed: QueuedRequest, error: ServiceError): RetryDecision {
    const { request, history } = failed;
    if (request.stationIds.length > 1) {
      const halves = splitStations(request, epochSecondsOf);
      return continueWith({ first: withHistory(halves ?? [], NOT_ATTEMPTED) });
    }
    const isFirst = history.commitsAtFirstLoss === null;
    const commitsAtFirstLoss = history.commitsAtFirstLoss ?? session.commits();
    const again = { request, history: { ...history, failures: history.failures + 1, commitsAtFirstLoss } };
    if (isFirst) return delayedRetry.later(again, error, true);
    if (error.kind !== "forbidden")
      return { kind: "verify", about: "station", failed: again, error, maxRequests: STATION_CONTROLS };
    return giveUpStation(again, error, "forbidden");
  }

  const limitsAfterTooLarge = ({ points, variables }: PlannedRequest, { limitPoints }: ServiceError): LearnedLimits =>
    afterTooLarge(session.limits(), points, limitPoints, variables.length);

  /** The profile remembers the station if others were answered meanwhile: then the service does not refuse everything. */
  function giveUpStation(
    { request, history }: QueuedRequest,
    error: ServiceError,
    kind: StationRefusal["kind"],
  ): RetryDecision {
    const refusal = { kind, reason: kind === "forbidden" ? FORBIDDEN : error.message };
    excluded.exclude(request.stationIds, refusal.kind, refusal.reason);
    if (session.commits() > (history.commitsAtFirstLoss ?? 0))
      for (const id of request.stationIds) session.profile.refuse(id, refusal, session.clock.wallMs());
    if (kind !== "forbidden") return smallest.giveUp({ request, history }, error);
    statistics.givenUp(request, error.kind, error.message);
    return continueWith();
  }

  return {
    beforeSending({ failures }) {
      if (failures === 0) delayedRetry.onFirstAttempt();
    },
    onSuccess(done) {
      const { request } = done;
      for (const id of request.stationIds) answered.add(id);
      smallest.onSuccess(done);
      refusals.onSuccess();
      unavailable.onArrived(request.variables);
      unsettled.onSuccess();
      throttling.onSuccess();
      session.learn(afterSuccess(session.limits(), request.points));
      losses.onSuccess(done);
    },
    onShifted({ request }, stationIds) {
      excluded.exclude(stationIds, "unusable", SHIFTED);
      const rest = excluded.permitted(request);
      return continueWith(rest ? { first: withHistory([rest], NOT_ATTEMPTED) } : {});
    },
    onError(failed, error) {
      const { request, history } = failed;
      switch (meaningOf(error).reaction) {
        case "repeat":
          return losses.lose(failed, error);
        case "repeatOnce":
          if (session.limiter.outage() !== null) return { kind: "stop", state: "broken", error };
          return history.failures < 1
            ? delayedRetry.later({ request, history: { ...history, failures: 1 } }, error)
            : refusals.refuse(failed, error, 2);
        case "narrow":
          return error.kind === "deadline"
            ? refusals.refuse(failed, error, MAX_ATTEMPTS, afterDeadline(session.limits(), request.points))
            : refusals.refuse(failed, error, 1, limitsAfterTooLarge(request, error));
        case "halve":
          return unsettled.retry(failed, error);
        case "wait":
          return throttling.delay(failed, error);
        case "isolate":
          if (error.kind !== "forbidden" && !isWhole(request)) return refusals.refuse(failed, error, 1);
          return isolate(failed, error);
        case "stop":
          return { kind: "stop", state: error.kind === "unauthorized" ? "needsKey" : "broken", error };
        case "none":
          return continueWith();
      }
    },
    onVerified({ about, failed, error }, isAnswered) {
      if (about === "request") {
        if (!isAnswered) return delayedRetry.later(failed, error, true);
        smallest.giveUpVerified(failed, error);
        return continueWith();
      }
      if (about === "station") {
        if (isAnswered) {
          answered.add(failed.request.stationIds[0]);
          return refusals.refuse(failed, error, 1);
        }
        return giveUpStation(failed, error, error.kind === "notFound" ? "notFound" : "invalid");
      }
      smallest.resetStreak();
      if (!isAnswered) return unavailable.confirm(failed.request) ? continueWith() : giveUpRest(error);
      refusals.onControlAnswered();
      return continueWith();
    },
    permitted: (request) => excluded.permitted(request),
    withinLimits: ({ request, history }) =>
      request.points > allowedPoints(session.limits()) ? division.byLimits(request, history) : null,
    forbiddenIds: () => excluded.forbiddenIds(),
  };
}
