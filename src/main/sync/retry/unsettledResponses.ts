import type { ServiceError } from "#shared/service/error.ts";
import { backoffMs } from "../../planner/backoff.ts";
import { splitDoubtful } from "../../planner/split.ts";
import type { EpochSecondsLookup } from "../../planner/types.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { Permit } from "../limiter.ts";
import { NOT_ATTEMPTED, type QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, markHalfFailed, type RetryDecision, withHistory } from "./decision.ts";

/**
 * Responses that do not settle their cells may cost this many requests beyond the planned ones, plus one per good
 * response.
 */
const MAX_CREDIT = 128;
/** Attempts at the smallest request whose response does not settle its cells. */
const MAX_ATTEMPTS = 2;

/** Requests whose response is unusable, or does not settle their cells. */
interface UnsettledResponses {
  /** Requests the same again, in halves if possible. */
  retry(failed: QueuedRequest, error: ServiceError, permit: Permit): RetryDecision;
  onSuccess(): void;
}

export function createUnsettledResponses(
  session: Session,
  statistics: JobStatistics,
  epochSecondsOf: EpochSecondsLookup,
): UnsettledResponses {
  let credit = MAX_CREDIT;
  return {
    retry({ request, history }, error, permit) {
      permit.answered();
      markHalfFailed(history);
      const failures = history.failures + 1;
      const halves = credit >= 2 ? splitDoubtful(request, epochSecondsOf) : null;
      const again = halves
        ? [...withHistory(halves, NOT_ATTEMPTED)]
        : failures < MAX_ATTEMPTS
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
