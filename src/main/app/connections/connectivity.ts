import { retry } from "#shared/async.ts";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import { failure, type Result, type ServiceError, type ServiceErrorKind, success } from "#shared/service/error.ts";
import { MIN_OUTAGE_FAILURES } from "../../planner/load.ts";
import type { ServiceClient } from "../../client/types.ts";
import type { ConnectionRecord } from "../../store/user/types.ts";
import { type Clock, systemClock } from "../../sync/clock.ts";
import type { AppFault } from "#shared/fault.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { serviceFault } from "../../fault.ts";
import { withServerTime } from "../../sync/catalogue.ts";
import type { Session } from "../../sync/session.ts";

/** Waits before the second and the third attempt. */
const WAITS_MS = [500, 2_000];

/** Repeats a request without an answer at most twice: a user who mistyped an address should learn it soon. */
export function withRetries<T>(
  request: () => Promise<Result<T>>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Result<T>> {
  return retry(
    async (attempt) => {
      const result = await request();
      const waitMs = WAITS_MS[attempt];
      if (waitMs === undefined || result.ok || reachOf(result.error) !== "lost" || signal.aborted) return { result };
      return { retryAfterMs: Math.min(10_000, Math.max(waitMs, result.error.retryAfterMs ?? 0)) };
    },
    (ms) => clock.sleep(ms, signal),
  );
}

/** Whether each service is reachable, judged by the results of its requests. */
export interface ConnectivityWatch {
  of(connectionId: string): Connectivity;
  /** Records the end of a request: an answer (null) or a failure. */
  note(connectionId: string, error: ServiceError | null): void;
  /** Records the end of a probe, of which one failure is enough for an outage. */
  noteProbe(connectionId: string, error: ServiceError | null): void;
  /** Records that the service asked all requests to wait, or that such a pause has ended (null). */
  notePause(connectionId: string, untilMs: UtcMs | null): void;
  forget(connectionId: string): void;
}

/** Transient errors. A single one is not an outage. */
const TRANSIENT: ReadonlySet<ServiceErrorKind> = new Set(["network", "unavailable", "truncated"]);
/** Something between this computer and the service answered in its place. */
const OBSTRUCTED: ReadonlySet<ServiceErrorKind> = new Set(["tls", "proxy", "redirected", "notTheService"]);

/**
 * What the result of a request reveals about the path to the service. A refusal is an answer; a request that was
 * cancelled, or never sent because there is no key, reveals nothing.
 */
export function reachOf(error: ServiceError | null): "answered" | "lost" | "obstructed" | "unknown" {
  if (error === null) return "answered";
  if (TRANSIENT.has(error.kind)) return "lost";
  if (OBSTRUCTED.has(error.kind)) return "obstructed";
  return error.status === null ? "unknown" : "answered";
}

export function createConnectivityWatch(
  clock: Clock,
  onChange: (connectivity: Connectivity) => void,
): ConnectivityWatch {
  const known = new Map<string, Connectivity>();
  const losses = new Map<string, number>();

  function of(connectionId: string): Connectivity {
    return (
      known.get(connectionId) ?? {
        connectionId,
        state: "unknown",
        sinceMs: clock.wallMs(),
        reason: null,
        pausedUntilMs: null,
      }
    );
  }

  function note(connectionId: string, error: ServiceError | null, outageThreshold: number): void {
    const reach = reachOf(error);
    if (reach === "unknown") return;
    const lost = reach === "answered" ? 0 : (losses.get(connectionId) ?? 0) + 1;
    losses.set(connectionId, lost);
    if (reach === "lost" && lost < outageThreshold) return;
    const state = reach === "answered" ? "online" : "offline";
    const { state: before, pausedUntilMs } = of(connectionId);
    if (before === state) return;
    const reason = state === "offline" ? (error?.message ?? null) : null;
    set({ connectionId, state, sinceMs: clock.wallMs(), reason, pausedUntilMs });
  }

  function set(next: Connectivity): void {
    known.set(next.connectionId, next);
    onChange(next);
  }

  return {
    of,
    note: (connectionId, error) => note(connectionId, error, MIN_OUTAGE_FAILURES),
    noteProbe: (connectionId, error) => note(connectionId, error, 1),
    notePause(connectionId, pausedUntilMs) {
      const before = of(connectionId);
      if (before.pausedUntilMs !== pausedUntilMs) set({ ...before, pausedUntilMs });
    },
    forget(connectionId) {
      known.delete(connectionId);
      losses.delete(connectionId);
    },
  };
}

/** Wraps a client and reports how each of its requests ended. */
export function watchedClient(client: ServiceClient, note: (error: ServiceError | null) => void): ServiceClient {
  const reported = async <T>(answer: Promise<Result<T>>): Promise<Result<T>> => {
    const result = await answer;
    note(result.ok ? null : result.error);
    return result;
  };
  return {
    origin: client.origin,
    stationsPage: (...given) => reported(client.stationsPage(...given)),
    allStations: (...given) => reported(client.allStations(...given)),
    station: (...given) => reported(client.station(...given)),
    allNetworks: (...given) => reported(client.allNetworks(...given)),
    timeSeries: (...given) => reported(client.timeSeries(...given)),
    nearest: (...given) => reported(client.nearest(...given)),
    close: () => client.close(),
  };
}

/** Checks with the smallest possible request whether the service is reachable. A refused key is a fault. */
export async function probe(
  { record, session }: { readonly record: Pick<ConnectionRecord, "id">; readonly session: Session },
  watch: ConnectivityWatch,
  signal: AbortSignal,
): Promise<Result<Connectivity, AppFault>> {
  const { limiter } = session;
  const answer = await withServerTime(session, () => session.client.stationsPage({}, 1, 1, signal));
  const error = answer.ok ? null : answer.error;
  watch.noteProbe(record.id, error);
  // Tells jobs that wait for the service.
  const reach = reachOf(error);
  if (reach === "answered") limiter.recordResult(null);
  else if (reach === "lost") limiter.recordResult(error);
  if (error === null) limiter.resume();
  else if (error.kind === "busy") limiter.pause(error.retryAfterMs);
  if (error !== null && ["unauthorized", "cancelled"].includes(error.kind)) return failure(serviceFault(error));
  return success(watch.of(record.id));
}
