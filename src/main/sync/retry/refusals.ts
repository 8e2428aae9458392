import type { ServiceError } from "#shared/service/error.ts";
import type { LearnedLimits } from "../../planner/limits.ts";
import { splitStations } from "../../planner/split.ts";
import type { EpochSecondsLookup, PlannedRequest } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, type DelayedRetry, giveUpRest, markHalfFailed, type RetryDecision } from "./decision.ts";
import type { Division, SmallestRequests, UnavailableVariables } from "./division.ts";

/** The stations that the service refuses to this key (403), as far as a job has found out. */
interface ForbiddenStations {
  /** After a refusal: both halves of the stations; null for a single station, which is then forbidden. */
  isolate(request: PlannedRequest, error: ServiceError): readonly PlannedRequest[] | null;
  /** The request without forbidden stations; null if none is left. */
  permitted(request: PlannedRequest): PlannedRequest | null;
  ids(): readonly string[];
}

export function createForbiddenStations(
  statistics: JobStatistics,
  epochSecondsOf: EpochSecondsLookup,
): ForbiddenStations {
  const forbidden = new Set<string>();
  return {
    isolate(request, error) {
      const halves = splitStations(request, epochSecondsOf);
      if (halves) return halves;
      for (const id of request.stationIds) forbidden.add(id);
      statistics.givenUp(request, error.kind, error.message);
      return null;
    },
    permitted(request) {
      const refused = request.stationIds.filter((id) => forbidden.has(id));
      if (refused.length === 0) return request;
      const allowed = request.stationIds.filter((id) => !forbidden.has(id));
      const pointsEach = request.points / request.stationIds.length;
      const reason = "The service refuses this station for the key in use.";
      statistics.givenUp({ ...request, stationIds: refused, points: pointsEach * refused.length }, "forbidden", reason);
      return allowed.length === 0 ? null : { ...request, stationIds: allowed, points: pointsEach * allowed.length };
    },
    ids: () => [...forbidden],
  };
}

/** After this many refusals in a row the smallest requests are no longer retried. */
const MAX_RETRIED_REFUSALS = 50;
/** After this many in a row the job ends. */
const MAX_REFUSALS = 300;

interface RefusalsContext {
  readonly session: Session;
  readonly statistics: JobStatistics;
  readonly division: Division;
  readonly smallest: SmallestRequests;
  readonly unavailable: UnavailableVariables;
  readonly delayedRetry: DelayedRetry;
}

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

export function createRefusals(context: RefusalsContext): Refusals {
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
