import { retry } from "#shared/async.ts";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import type { AppFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { serviceFault } from "../../fault.ts";
import { reachOf } from "../../planner/failures.ts";
import { withServerTime } from "../../sync/catalogue.ts";
import { type Clock, systemClock } from "../../sync/clock.ts";
import type { Session } from "../../sync/session.ts";

/** Waits before the second and the third attempt. */
const WAITS_MS = [500, 2_000];
const MAX_WAIT_MS = 10_000;

interface Waiting {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Of the user, who may not want to wait at all; by default as long as the attempts take. */
  readonly patienceMs?: number;
}

/**
 * Sends a request to a service that is not connected yet, at most three times: a user who mistyped an address should
 * learn it soon.
 */
export function firstContact<T>(
  request: () => Promise<Result<T>>,
  { signal, clock = systemClock, patienceMs = Infinity }: Waiting,
): Promise<Result<T>> {
  return retry(
    async (attempt) => {
      const result = await request();
      const waitMs = WAITS_MS[attempt];
      if (
        waitMs === undefined ||
        waitMs > patienceMs ||
        result.ok ||
        reachOf(result.error) !== "lost" ||
        signal.aborted
      )
        return { result };
      return { retryAfterMs: Math.min(MAX_WAIT_MS, Math.max(waitMs, result.error.retryAfterMs ?? 0)) };
    },
    (ms) => clock.sleep(ms, signal),
  );
}

/** Whether the service of a connection is reachable, and until when it asked all requests to wait. */
export function connectivityOf(connectionId: string, { limiter }: Pick<Session, "limiter">): Connectivity {
  return { connectionId, ...limiter.reach(), pausedUntilMs: limiter.pausedUntilMs() };
}

/** Checks with the smallest possible request whether the service is reachable. A refused key is a fault. */
export async function probe(
  { record, session }: { readonly record: { readonly id: string }; readonly session: Session },
  signal: AbortSignal,
): Promise<Result<Connectivity, AppFault>> {
  const answer = await withServerTime(session, () => session.client.stationsPage({}, 1, 1, signal));
  const error = answer.ok ? null : answer.error;
  session.limiter.checked(error);
  if (error?.kind === "unauthorized" || error?.kind === "cancelled") return failure(serviceFault(error));
  return success(connectivityOf(record.id, session));
}
