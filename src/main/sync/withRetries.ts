import { type Attempt, retry } from "#shared/async.ts";
import { failure, type Result, type ServiceError } from "#shared/service/error.ts";
import { many } from "#shared/text.ts";
import { isTemporary } from "../planner/failures.ts";
import { backoffMs } from "../planner/retryBudget.ts";
import { serviceError } from "../client/index.ts";
import { cancelled } from "../client/request.ts";
import type { Session } from "./session.ts";

/**
 * Sends a small request (catalogue, nearest time) through the limiter of its connection, and retries temporary failures
 * until the patience ends: in an outage it counts from the first failure, for a service that delays this request (429)
 * from the first delay.
 *
 * @param patienceMs by default that of a waiting user
 */
export async function withRetries<T>(
  session: Session,
  call: () => Promise<Result<T>>,
  signal: AbortSignal,
  patienceMs = session.patience.callMs,
): Promise<Result<T>> {
  const { limiter, clock } = session;
  let busySinceMs: number | null = null;
  // A user is waiting, so the service is probed however long the outage has lasted.
  limiter.probeNow();
  const attempt = async (attempts: number): Promise<Attempt<Result<T>>> => {
    const permit = await limiter.acquire(signal, patienceMs);
    if (permit === null) return { result: failure(signal.aborted ? cancelled() : patienceExceeded(session)) };
    let result: Result<T>;
    try {
      result = await call();
      permit.ended(result.ok ? null : result.error);
    } finally {
      permit.release();
    }
    if (result.ok || !isTemporary(result.error)) return { result };
    if (result.error.kind === "busy") {
      busySinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - busySinceMs >= patienceMs) return { result };
    }
    return { retryAfterMs: limiter.outage() === null ? backoffMs(attempts, session.random()) : 0 };
  };
  return retry(attempt, (ms) => clock.sleep(ms, signal));
}

/** Returns the error of a caller whose patience with the session's outage has ended. */
export function patienceExceeded({ limiter, clock }: Pick<Session, "limiter" | "clock">): ServiceError {
  const outage = limiter.outage();
  if (outage === null) return serviceError("network", "The service did not answer in time. Try again later.");
  const seconds = Math.round((clock.wallMs() - outage.sinceMs) / 1_000);
  const length = seconds < 120 ? many(seconds, "second") : many(Math.round(seconds / 60), "minute");
  const message = `${outage.error.message} Nothing was answered for ${length}, in ${many(outage.failures, "try", "tries")}.`;
  return { ...outage.error, message };
}
