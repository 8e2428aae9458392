import type { ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import { afterDeadline, afterSuccess, afterTooLarge } from "../../planner/limits.ts";
import { splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { Permit } from "../limiter.ts";
import { type AttemptHistory, NOT_ATTEMPTED, type QueuedRequest } from "../requestQueue.ts";
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
  delay(failed: QueuedRequest, error: ServiceError, permit: Permit): RetryDecision;
  onSuccess(): void;
}

function createThrottling({ clock, limiter }: Session, statistics: JobStatistics): Throttling {
  let delayedInARow = 0;
  let delayedSinceMs = 0;
  return {
    delay(failed, error, permit) {
      permit.overloaded();
      limiter.pause(error.retryAfterMs);
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

/** The stations of which a job can get nothing: refused to this key (403), or with shifted times. */
interface ExcludedStations {
  /** After a refusal: both halves of the stations; null for a single station, which is then forbidden. */
  isolate(request: PlannedRequest, error: ServiceError): readonly PlannedRequest[] | null;
  /** Requests nothing more of these stations. */
  exclude(stationIds: readonly string[], kind: ServiceErrorKind, reason: string): void;
  /** The request without excluded stations; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  forbiddenIds(): readonly string[];
}

const REFUSED = "The service refuses this station for the key in use.";
const SHIFTED =
  "The times of this station are shifted, perhaps to local time: its rows lie outside of the requested range. Nothing was stored. Tell the operator of the service.";

function createExcludedStations(statistics: JobStatistics, epochSecondsOf: EpochSecondsLookup): ExcludedStations {
  const excluded = new Map<string, { readonly kind: ServiceErrorKind; readonly reason: string }>();
  const exclude: ExcludedStations["exclude"] = (stationIds, kind, reason) => {
    for (const id of stationIds) excluded.set(id, { kind, reason });
  };
  return {
    isolate(request, error) {
      const halves = splitStations(request, epochSecondsOf);
      if (halves) return halves;
      exclude(request.stationIds, "forbidden", REFUSED);
      statistics.givenUp(request, error.kind, error.message);
      return null;
    },
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
  onSuccess(answered: QueuedRequest, permit: Permit): void;
  /** The times of some stations are shifted: nothing of the response was stored. */
  onShifted(answered: QueuedRequest, stationIds: readonly string[], permit: Permit): RetryDecision;
  onError(failed: QueuedRequest, error: ServiceError, permit: Permit): RetryDecision;
  /** @param isAnswered whether the service answered a control request */
  onVerified(decision: RetryDecision & { readonly kind: "verify" }, isAnswered: boolean): RetryDecision;
  /** Returns the request without stations of which nothing can be had; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  forbiddenIds(): readonly string[];
}

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
  const excluded = createExcludedStations(statistics, epochSecondsOf);
  const unavailable = createUnavailableVariables();
  const smallest = createSmallestRequests(statistics, unavailable);
  const division = createDivision({ session, epochSecondsOf, replan, smallest, unavailable });
  const delayedRetry = createDelayedRetry(session, statistics);
  const parts = { session, statistics, epochSecondsOf, division, smallest, unavailable, delayedRetry };
  const refusals = createRefusals(parts);
  const losses = createLosses(parts);
  const unsettled = createUnsettledResponses(parts);
  const throttling = createThrottling(session, statistics);

  return {
    beforeSending({ failures }) {
      if (failures === 0) delayedRetry.onFirstAttempt();
    },
    onSuccess(answered, permit) {
      const { request } = answered;
      smallest.onSuccess(answered);
      refusals.onSuccess();
      unavailable.onArrived(request.variables);
      unsettled.onSuccess();
      throttling.onSuccess();
      permit.answered();
      session.learn(afterSuccess(session.limits(), request.points));
      losses.onSuccess(answered);
    },
    onShifted({ request }, stationIds, permit) {
      permit.answered();
      excluded.exclude(stationIds, "unusable", SHIFTED);
      const rest = excluded.permitted(request);
      return continueWith(rest ? { first: withHistory([rest], NOT_ATTEMPTED) } : {});
    },
    onError(failed, error, permit) {
      const { request, history } = failed;
      switch (error.kind) {
        case "unavailable":
          permit.overloaded();
          return losses.lose(failed, error, permit);
        case "network":
        case "truncated":
          return losses.lose(failed, error, permit);
        case "notTheService":
          permit.lost(error);
          if (session.limiter.outage() !== null) return { kind: "stop", state: "broken", error };
          return history.failures < 1
            ? delayedRetry.later({ request, history: { ...history, failures: 1 } }, error)
            : refusals.refuse(failed, error, 2);
        case "tls":
        case "proxy":
        case "redirected":
          return { kind: "stop", state: "broken", error };
        case "cancelled":
          return continueWith();
        case "tooLarge":
          permit.refused();
          return refusals.refuse(failed, error, 1, afterTooLarge(session.limits(), request.points, error.limitPoints));
        case "deadline":
          permit.refused();
          return refusals.refuse(failed, error, MAX_ATTEMPTS, afterDeadline(session.limits(), request.points));
        case "unusable":
          return unsettled.retry(failed, error, permit);
        case "invalid":
        case "notFound":
          permit.refused();
          return refusals.refuse(failed, error, 1);
        case "busy":
          permit.refused();
          return throttling.delay(failed, error, permit);
        case "forbidden": {
          permit.refused();
          const halves = excluded.isolate(request, error);
          return continueWith(halves ? { first: withHistory(halves, NOT_ATTEMPTED) } : {});
        }
        case "unauthorized":
          permit.refused();
          return { kind: "stop", state: "needsKey", error };
      }
    },
    onVerified({ about, failed, error }, isAnswered) {
      if (about === "request") {
        if (!isAnswered) return delayedRetry.later(failed, error, true);
        smallest.giveUpVerified(failed, error);
        return continueWith();
      }
      smallest.resetStreak();
      if (!isAnswered) return unavailable.confirm(failed.request) ? continueWith() : giveUpRest(error);
      refusals.onControlAnswered();
      return continueWith();
    },
    permitted: (request) => excluded.permitted(request),
    forbiddenIds: () => excluded.forbiddenIds(),
  };
}
