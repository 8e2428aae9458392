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

/** The outage clock of a connection: all requests report to it how they ended. */
export class ReachWatch {
  readonly #options: ReachOptions;
  #outage = NO_OUTAGE;
  #lastError: ServiceError | null = null;
  #status: ReachStatus;

  constructor(options: ReachOptions) {
    this.#options = options;
    this.#status = { state: "unknown", sinceMs: options.clock.wallMs(), reason: null };
  }

  /**
   * @param error null: a response
   * @param isCheck whether the user asked for it: one loss is then enough for an outage
   */
  record(error: ServiceError | null, isCheck: boolean = false): void {
    const reach = reachOf(error);
    if (reach === "unknown") return;
    if (error === null || reach === "answered") {
      const wasOutage = isOutage(this.#outage);
      this.#outage = NO_OUTAGE;
      this.#lastError = null;
      this.#setStatus("online", this.#options.clock.wallMs(), null);
      if (wasOutage) this.#options.onOutage();
      return;
    }
    const next = afterFailure(
      this.#outage,
      this.#options.clock.monotonicMs(),
      this.#options.random(),
      error.retryAfterMs,
    );
    this.#outage = isCheck ? { ...next, failures: Math.max(next.failures, MIN_OUTAGE_FAILURES) } : next;
    this.#lastError = error;
    if (isOutage(this.#outage) || reach === "obstructed")
      this.#setStatus(
        "offline",
        this.#toWallMs(this.#outage.sinceMs ?? this.#options.clock.monotonicMs()),
        error.message,
      );
    if (isOutage(this.#outage)) this.#options.onOutage();
  }

  status(): ReachStatus {
    return this.#status;
  }

  /** The current outage, or null. */
  outage(): OutageStatus | null {
    if (!isOutage(this.#outage) || this.#outage.sinceMs === null || this.#lastError === null) return null;
    const { sinceMs, nextTryMs, failures } = this.#outage;
    return { sinceMs: this.#toWallMs(sinceMs), nextTryMs: this.#toWallMs(nextTryMs), failures, error: this.#lastError };
  }

  /** Time until the next probe, at most 0 if it is due; null if there is no outage. */
  nextProbeMs(): number | null {
    return isOutage(this.#outage) ? this.#outage.nextTryMs - this.#options.clock.monotonicMs() : null;
  }

  /** Makes a probe due at once. */
  probeNow(): void {
    if (!isOutage(this.#outage)) return;
    this.#outage = { ...this.#outage, nextTryMs: this.#options.clock.monotonicMs() };
    this.#options.onOutage();
  }

  /** How long a caller with this patience still waits for the end of the outage. */
  patienceLeftMs(patienceMs: number): number {
    const isDown = DOWN_STATUSES.has(this.#lastError?.status ?? null);
    const maxMs = isDown ? patienceMs : Math.min(patienceMs, MAX_ERROR_OUTAGE_MS);
    const nowMs = this.#options.clock.monotonicMs();
    return (this.#outage.sinceMs ?? nowMs) + maxMs - nowMs;
  }

  #toWallMs(monotonicMs: number): UtcMs {
    return Math.round(monotonicMs + this.#options.clock.wallMs() - this.#options.clock.monotonicMs());
  }

  #setStatus(state: ReachStatus["state"], sinceMs: UtcMs, reason: string | null): void {
    if (this.#status.state === state) return;
    this.#status = { state, sinceMs, reason };
    this.#options.onStatus();
  }
}
