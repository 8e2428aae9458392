import type { ServiceError } from "#shared/service/error.ts";
import { floorPoints } from "../../planner/limits.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { QueuedRequest } from "../requestQueue.ts";
import { continueWith, type RetryDecision } from "./decision.ts";
import type { UnavailableVariables } from "./unavailableVariables.ts";

/** Number of smallest requests without a response that are retried. */
const MAX_RETRIED = 8;
/** Requests given up in a row before control requests test whether the service answers at all. */
const GIVEN_UP_BEFORE_CONTROLS = 3;
/** Number of those control requests. */
export const MAX_CONTROLS = 3;

/** The requests of a job that are not divided further: how often they are retried, and when they are given up. */
export interface SmallestRequests {
  /** The size that is not divided further, in data points; it grows with the number of given-up requests. */
  floorPoints(): number;
  /**
   * The number of attempts at such a request. If many have no response, a whole station or several years may be
   * unavailable: one attempt is then enough.
   *
   * @param isFirst whether this is its first failure
   */
  maxAttempts(most: number, isFirst: boolean): number;
  giveUp(failed: QueuedRequest, error: ServiceError): RetryDecision;
  /** Gives up one request after the service answered a control request, so the rest of the job is not in question. */
  giveUpVerified(failed: QueuedRequest, error: ServiceError): void;
  onSuccess(answered: QueuedRequest): void;
  /** The next control requests are due after as many given-up requests as the first. */
  resetStreak(): void;
}

export function createSmallestRequests(statistics: JobStatistics, unavailable: UnavailableVariables): SmallestRequests {
  let givenUp = 0;
  let givenUpInARow = 0;
  let unanswered = 0;

  return {
    floorPoints: () => floorPoints(givenUp),
    maxAttempts(most, isFirst) {
      if (isFirst) unanswered++;
      return unanswered > MAX_RETRIED ? 1 : most;
    },
    giveUp(failed, error) {
      statistics.givenUp(failed.request, error.kind, error.message);
      if (unavailable.includesAllOf(failed.request)) return continueWith();
      givenUp++;
      const times = unavailable.onGivenUp(failed.request);
      if (++givenUpInARow < GIVEN_UP_BEFORE_CONTROLS && times !== GIVEN_UP_BEFORE_CONTROLS) return continueWith();
      return { kind: "verify", about: "rest", failed, error, maxRequests: MAX_CONTROLS };
    },
    giveUpVerified({ request }, error) {
      statistics.givenUp(request, error.kind, error.message);
      unavailable.onGivenUp(request);
      givenUp++;
    },
    onSuccess({ request, history }) {
      if (history.failures > 1 && request.points <= floorPoints(givenUp)) unanswered--;
      givenUpInARow = 0;
    },
    resetStreak() {
      givenUpInARow = 0;
    },
  };
}
