import { raceCancellation } from "#shared/cancellation.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { afterAnswer, afterOverload, startConcurrency } from "../planner/concurrency.ts";
import { pausedAfter, type Pause, pauseWaitMs, NOT_PAUSED, resumedAfter } from "../planner/pause.ts";
import { afterFailure, isOutage, NO_OUTAGE } from "../planner/outage.ts";
import type { Clock } from "./clock.ts";

/** The right to send one request. */
export interface Permit {
  /** This request tests whether an outage has ended. */
  readonly isTry: boolean;
  /** The service answered: it can carry this load, and perhaps one request more. */
  answered(): void;
  /** The service refused the request with an answer of its own, so it is reachable. */
  refused(): void;
  /** There was no answer. */
  lost(error: ServiceError): void;
  /** The service is overloaded (429, 503): the concurrency is halved. */
  overloaded(): void;
  /** Returns the permit; to be called in every case, once. */
  release(): void;
}

/** An outage of the service, as reported to those who wait for its end. Wall clock. */
export interface OutageNews {
  /** The first failure after the last answer. */
  readonly sinceMs: UtcMs;
  /** When the next probe is sent; in the past while one is under way. */
  readonly nextTryMs: UtcMs;
  /** Requests without an answer since then. */
  readonly failures: number;
  /** The most recent failure. */
  readonly error: ServiceError;
}

/**
 * Limits the requests of all jobs of a connection: as many at once as the service has been seen to carry, and none
 * while it asks to wait. Waiting for the end of a pause holds no permit, and the waiting requests return spread over
 * time. During an outage, one request at a time probes the service, and all others wait.
 */
export interface Limiter {
  /**
   * @param patienceMs how long an outage may last, from its first failure, before the caller gives up
   * @returns null if the signal aborted before a permit was free, or if the patience ended
   */
  acquire(signal: AbortSignal, patienceMs?: number): Promise<Permit | null>;
  /** The service asked everyone to wait; null if it did not say how long. */
  close(retryAfterMs: number | null): void;
  concurrency(): number;
  maxConcurrency(): number;
  /** Wall-clock time until which requests pause, null where they do not. */
  closedUntilMs(): UtcMs | null;
  /** Null if there is none. */
  outage(): OutageNews | null;
  /** A request that was made outside the limiter ended: with an answer (null), or without one. */
  note(error: ServiceError | null): void;
  /** Everyone who waits for the end of an outage tries again at once. */
  tryNow(): void;
  /** Calls the listener whenever an outage begins, ends, or is probed; the returned function removes it. */
  onOutage(listener: () => void): () => void;
}

export interface LimiterOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency?: number;
  /** The end of a pause that was still running when the program ended. Wall clock. */
  readonly closedUntilMs?: UtcMs | null;
  /** Called for each new pause, so that it can outlive the program. Wall clock. */
  readonly onClosed?: (untilMs: UtcMs) => void;
}

/** Statuses of a gateway, or of the service itself, while the service is away. */
const AWAY: ReadonlySet<number | null> = new Set([null, 502, 503, 504]);
/** A service that answers every request with an error is not away: nobody waits longer than this. */
const MOST_ERRORS_MS = 600_000;

export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, random } = options;
  const max = options.maxConcurrency;
  let concurrency = startConcurrency(max === undefined ? {} : { max });
  // The pause runs on the monotonic clock: setting the time must neither end nor extend it.
  let pause: Pause = NOT_PAUSED;
  let outage = NO_OUTAGE;
  let lastError: ServiceError | null = null;
  let isTrying = false;
  let underWay = 0;
  let waiting: (() => void)[] = [];
  let changed = new AbortController();
  const listeners = new Set<() => void>();

  const rememberedMs = (options.closedUntilMs ?? 0) - clock.wallMs();
  if (rememberedMs > 0) pause = pausedAfter(NOT_PAUSED, clock.monotonicMs(), rememberedMs);

  function wakeFree(): void {
    for (let free = concurrency.limit - underWay; free > 0; free--) waiting.shift()?.();
  }

  async function room(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await raceCancellation(promise, signal);
    waiting = waiting.filter((w) => w !== resolve);
  }

  /** Wakes everyone who waits for the end of the outage. */
  function outageChanged(): void {
    changed.abort();
    changed = new AbortController();
    for (const listener of listeners) listener();
  }

  function noteAnswer(): void {
    const was = isOutage(outage);
    outage = NO_OUTAGE;
    lastError = null;
    if (was) outageChanged();
  }

  function noteFailure(error: ServiceError): void {
    outage = afterFailure(outage, clock.monotonicMs(), random(), error.retryAfterMs);
    lastError = error;
    if (isOutage(outage)) outageChanged();
  }

  /** How long the caller still waits for the end of the outage. */
  function patienceLeftMs(nowMs: number, patienceMs: number): number {
    // An answer may be arriving. If it stops, its own timeout for the next piece ends it.
    if (underWay > 0) return Infinity;
    const most = AWAY.has(lastError?.status ?? null) ? patienceMs : Math.min(patienceMs, MOST_ERRORS_MS);
    return (outage.sinceMs ?? nowMs) + most - nowMs;
  }

  function permit(isTry: boolean): Permit {
    const { generation } = concurrency;
    underWay++;
    if (isTry) isTrying = true;
    return {
      isTry,
      answered() {
        concurrency = afterAnswer(concurrency);
        pause = resumedAfter(pause, clock.monotonicMs());
        noteAnswer();
      },
      refused: noteAnswer,
      lost: noteFailure,
      overloaded() {
        concurrency = afterOverload(concurrency, generation);
      },
      release() {
        underWay--;
        if (isTry) {
          isTrying = false;
          outageChanged();
        }
        wakeFree();
      },
    };
  }

  return {
    async acquire(signal, patienceMs = Infinity) {
      while (!signal.aborted) {
        const nowMs = clock.monotonicMs();
        const waitMs = pauseWaitMs(pause, nowMs, random());
        if (waitMs > 0) {
          await clock.sleep(waitMs, signal);
        } else if (isOutage(outage)) {
          if (!isTrying && outage.nextTryMs <= nowMs) return permit(true);
          const leftMs = patienceLeftMs(nowMs, patienceMs);
          if (leftMs <= 0) break;
          const nextMs = isTrying ? Infinity : outage.nextTryMs - nowMs;
          await sleep(clock, Math.min(nextMs, leftMs), AbortSignal.any([signal, changed.signal]));
        } else if (underWay >= concurrency.limit) {
          await room(signal);
        } else return permit(false);
      }
      // This waiter may have consumed a wake-up that another one needs.
      wakeFree();
      return null;
    },
    close(retryAfterMs) {
      pause = pausedAfter(pause, clock.monotonicMs(), retryAfterMs);
      options.onClosed?.(clock.wallMs() + (pause.waitUntilMs! - clock.monotonicMs()));
    },
    concurrency: () => concurrency.limit,
    maxConcurrency: () => concurrency.max,
    closedUntilMs() {
      const leftMs = (pause.waitUntilMs ?? -Infinity) - clock.monotonicMs();
      return leftMs > 0 ? clock.wallMs() + leftMs : null;
    },
    outage() {
      if (!isOutage(outage) || lastError === null) return null;
      const toWallMs = clock.wallMs() - clock.monotonicMs();
      return {
        sinceMs: Math.round(outage.sinceMs! + toWallMs),
        nextTryMs: Math.round(outage.nextTryMs + toWallMs),
        failures: outage.failures,
        error: lastError,
      };
    },
    note(error) {
      if (error === null) noteAnswer();
      else noteFailure(error);
    },
    tryNow() {
      if (!isOutage(outage)) return;
      outage = { ...outage, nextTryMs: clock.monotonicMs() };
      outageChanged();
    },
    onOutage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** System timers have a maximum delay. */
async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms !== Infinity) return clock.sleep(ms, signal);
  await raceCancellation(new Promise<never>(() => {}), signal);
}
