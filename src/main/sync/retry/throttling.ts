import type { ServiceError } from "#shared/service/error.ts";
import { count } from "#shared/text.ts";
import type { JobStatistics } from "../jobStatistics.ts";
import type { Permit } from "../limiter.ts";
import type { QueuedRequest } from "../requestQueue.ts";
import type { Session } from "../session.ts";
import { continueWith, type RetryDecision } from "./decision.ts";

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

export function createThrottling({ clock, limiter }: Session, statistics: JobStatistics): Throttling {
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
