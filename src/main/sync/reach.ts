import type { ServiceError } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { reachOf } from "../planner/failures.ts";
import { afterFailure, isOutage, MIN_OUTAGE_FAILURES, NO_OUTAGE } from "../planner/outage.ts";
import type { Clock } from "./clock.ts";

/** An outage of the service. Times are of the wall clock. */
export interface OutageStatus {
  /** The first failure after the last response. */
  readonly sinceMs: UtcMs;
  /** When the next probe is sent; in the past while one is under way. */
  readonly nextTryMs: UtcMs;
  /** Number of requests without a response since then. */
  readonly failures: number;
  /** The most recent failure. */
  readonly error: ServiceError;
}

/** Whether the service is reachable, judged by the ends of its requests. */
export interface ReachStatus {
  /** unknown: no request has ended yet. */
  readonly state: "unknown" | "online" | "offline";
  /** Wall clock. */
  readonly sinceMs: UtcMs;
  /** A sentence for the user if offline, else null. */
  readonly reason: string | null;
}

/** The outage clock of a connection: all requests report to it how they ended. */
export interface ReachWatch {
  /**
   * @param error null: a response
   * @param isCheck whether the user asked for it: one loss is then enough for an outage
   */
  record(error: ServiceError | null, isCheck?: boolean): void;
  status(): ReachStatus;
  /** The current outage, or null. */
  outage(): OutageStatus | null;
  /** Time until the next probe, at most 0 if it is due; null if there is no outage. */
  nextProbeMs(): number | null;
  /** Makes a probe due at once. */
  probeNow(): void;
  /** How long a caller with this patience still waits for the end of the outage. */
  patienceLeftMs(patienceMs: number): number;
}

interface ReachOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** An outage began, ended, or was probed. */
  readonly onOutage: () => void;
  readonly onStatus: () => void;
}

/** Statuses of a gateway, or of the service itself, while the service is down; null if there was no response at all. */
const DOWN_STATUSES: ReadonlySet<number | null> = new Set([null, 502, 503, 504]);
/** A service that responds to every request with an error is not down: callers wait no longer than this. */
const MAX_ERROR_OUTAGE_MS = 600_000;

export function createReachWatch({ clock, random, onOutage, onStatus }: ReachOptions): ReachWatch {
  let outage = NO_OUTAGE;
  let lastError: ServiceError | null = null;
  let status: ReachStatus = { state: "unknown", sinceMs: clock.wallMs(), reason: null };

  const toWallMs = (monotonicMs: number): UtcMs => Math.round(monotonicMs + clock.wallMs() - clock.monotonicMs());

  function setStatus(state: ReachStatus["state"], sinceMs: UtcMs, reason: string | null): void {
    if (status.state === state) return;
    status = { state, sinceMs, reason };
    onStatus();
  }

  return {
    record(error, isCheck = false) {
      const reach = reachOf(error);
      if (reach === "unknown") return;
      if (error === null || reach === "answered") {
        const wasOutage = isOutage(outage);
        outage = NO_OUTAGE;
        lastError = null;
        setStatus("online", clock.wallMs(), null);
        if (wasOutage) onOutage();
        return;
      }
      const next = afterFailure(outage, clock.monotonicMs(), random(), error.retryAfterMs);
      outage = isCheck ? { ...next, failures: Math.max(next.failures, MIN_OUTAGE_FAILURES) } : next;
      lastError = error;
      if (isOutage(outage) || reach === "obstructed")
        setStatus("offline", toWallMs(outage.sinceMs ?? clock.monotonicMs()), error.message);
      if (isOutage(outage)) onOutage();
    },
    status: () => status,
    outage() {
      if (!isOutage(outage) || outage.sinceMs === null || lastError === null) return null;
      const { sinceMs, nextTryMs, failures } = outage;
      return { sinceMs: toWallMs(sinceMs), nextTryMs: toWallMs(nextTryMs), failures, error: lastError };
    },
    nextProbeMs: () => (isOutage(outage) ? outage.nextTryMs - clock.monotonicMs() : null),
    probeNow() {
      if (!isOutage(outage)) return;
      outage = { ...outage, nextTryMs: clock.monotonicMs() };
      onOutage();
    },
    patienceLeftMs(patienceMs) {
      const isDown = DOWN_STATUSES.has(lastError?.status ?? null);
      const maxMs = isDown ? patienceMs : Math.min(patienceMs, MAX_ERROR_OUTAGE_MS);
      const nowMs = clock.monotonicMs();
      return (outage.sinceMs ?? nowMs) + maxMs - nowMs;
    },
  };
}
