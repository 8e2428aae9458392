import { retry } from "#shared/async.ts";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import type { Result, ServiceError, ServiceErrorKind } from "#shared/service/error.ts";
import { MIN_OUTAGE_FAILURES } from "../../planner/outage.ts";
import type { ServiceClient } from "../../client/types.ts";
import { type Clock, systemClock } from "../../sync/clock.ts";

/** The waits before the second and the third time. */
const WAITS_MS = [500, 2_000];

/** Asks once or twice more where nothing answered: whoever types an address is to be told soon that it is wrong. */
export function askedAgain<T>(
  ask: () => Promise<Result<T>>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Result<T>> {
  return retry(
    async (attempt) => {
      const result = await ask();
      const waitMs = WAITS_MS[attempt];
      if (waitMs === undefined || result.ok || reachOf(result.error) !== "lost" || signal.aborted) return { result };
      return { retryAfterMs: Math.min(10_000, Math.max(waitMs, result.error.retryAfterMs ?? 0)) };
    },
    (ms) => clock.sleep(ms, signal),
  );
}

/** Whether each service answers, as its requests tell. */
export interface ConnectivityWatch {
  of(connectionId: string): Connectivity;
  /** A request ended: with an answer (null), or with a failure. */
  note(connectionId: string, error: ServiceError | null): void;
  /** The same for a request that was made to know, and counts alone. */
  noteProbe(connectionId: string, error: ServiceError | null): void;
  forget(connectionId: string): void;
}

/** What passes by itself. One such loss is no outage. */
const PASSING: ReadonlySet<ServiceErrorKind> = new Set(["network", "unavailable", "truncated"]);
/** Something between here and the service answers in its place. */
const OBSTRUCTED: ReadonlySet<ServiceErrorKind> = new Set(["tls", "proxy", "redirected", "notTheService"]);

/**
 * What a failed request says of the way to the service. A refusal is an answer; a request that was stopped, or that
 * was never sent for want of a key, says nothing.
 */
export function reachOf(error: ServiceError | null): "answered" | "lost" | "obstructed" | "unknown" {
  if (error === null) return "answered";
  if (PASSING.has(error.kind)) return "lost";
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
    return known.get(connectionId) ?? { connectionId, state: "unknown", sinceMs: clock.wallMs(), reason: null };
  }

  function note(connectionId: string, error: ServiceError | null, lossesOfAnOutage: number): void {
    const reach = reachOf(error);
    if (reach === "unknown") return;
    const lost = reach === "answered" ? 0 : (losses.get(connectionId) ?? 0) + 1;
    losses.set(connectionId, lost);
    if (reach === "lost" && lost < lossesOfAnOutage) return;
    const state = reach === "answered" ? "online" : "offline";
    if (of(connectionId).state === state) return;
    const reason = state === "offline" ? (error?.message ?? null) : null;
    const next: Connectivity = { connectionId, state, sinceMs: clock.wallMs(), reason };
    known.set(connectionId, next);
    onChange(next);
  }

  return {
    of,
    note: (connectionId, error) => note(connectionId, error, MIN_OUTAGE_FAILURES),
    noteProbe: (connectionId, error) => note(connectionId, error, 1),
    forget(connectionId) {
      known.delete(connectionId);
      losses.delete(connectionId);
    },
  };
}

/** A client that tells how each of its requests ended. */
export function watchedClient(client: ServiceClient, note: (error: ServiceError | null) => void): ServiceClient {
  const noted = async <T>(answer: Promise<Result<T>>): Promise<Result<T>> => {
    const result = await answer;
    note(result.ok ? null : result.error);
    return result;
  };
  return {
    origin: client.origin,
    stationsPage: (...given) => noted(client.stationsPage(...given)),
    allStations: (...given) => noted(client.allStations(...given)),
    station: (...given) => noted(client.station(...given)),
    allNetworks: (...given) => noted(client.allNetworks(...given)),
    timeSeries: (...given) => noted(client.timeSeries(...given)),
    nearest: (...given) => noted(client.nearest(...given)),
    close: () => client.close(),
  };
}
