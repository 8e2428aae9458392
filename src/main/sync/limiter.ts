import { raceCancellation } from "#shared/async.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import {
  afterAnswer,
  afterOverload,
  NOT_PAUSED,
  type Pause,
  pausedAfter,
  pauseWaitMs,
  resumedAfter,
  startConcurrency,
  afterFailure,
  isOutage,
  NO_OUTAGE,
} from "../planner/load.ts";
import type { Clock } from "./clock.ts";

/** The right to send one request. */
export interface Permit {
  /** Whether this request tests if an outage has ended. */
  readonly isProbe: boolean;
  /** The service responded: it can carry this load, and perhaps one more request. */
  answered(): void;
  /** The service refused the request with a response of its own, so it is reachable. */
  refused(): void;
  /** There was no response. */
  lost(error: ServiceError): void;
  /**
   * The service is overloaded: the concurrency is halved.
   *
   * @param isThreshold whether it refused the number of requests (429)
   */
  overloaded(isThreshold: boolean): void;
  /** Releases the permit; must be called exactly once, whatever the result. */
  release(): void;
}

/** An outage of the service. Times are of the wall clock. */
interface OutageStatus {
  /** The first failure after the last response. */
  readonly sinceMs: UtcMs;
  /** When the next probe is sent; in the past while one is under way. */
  readonly nextTryMs: UtcMs;
  /** Number of requests without a response since then. */
  readonly failures: number;
  /** The most recent failure. */
  readonly error: ServiceError;
}

/**
 * Limits the requests of all jobs of a connection: as many at once as the service has proved to carry, and none while
 * it asks clients to wait. Waiting for the end of a pause holds no permit, and the waiting requests resume spread over
 * time. During an outage, one request at a time probes the service, and all others wait.
 */
export interface Limiter {
  /**
   * @param patienceMs how long an outage may last, from its first failure, before the caller gives up
   * @returns null if the signal aborted before a permit was free, or if the patience ended
   */
  acquire(signal: AbortSignal, patienceMs?: number): Promise<Permit | null>;
  /**
   * Pauses all requests, because the service asked clients to wait.
   *
   * @param retryAfterMs null if the service did not say how long
   */
  pause(retryAfterMs: number | null): void;
  /** Ends a pause early: the service has answered a request that the user wanted. */
  resume(): void;
  concurrency(): number;
  maxConcurrency(): number;
  /** Wall-clock time until which requests pause; null if they do not. */
  pausedUntilMs(): UtcMs | null;
  /** The current outage, or null. */
  outage(): OutageStatus | null;
  /** Records a request that was made outside the limiter: it ended with a response (null), or without one. */
  recordResult(error: ServiceError | null): void;
  /** Probes the service at once if there is an outage. */
  probeNow(): void;
  /** Calls the listener when an outage begins, ends, or is probed. Returns a function that removes it. */
  onOutage(listener: () => void): () => void;
}

interface LimiterOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency?: number | undefined;
  /** The end of a pause that was still running when the program ended. Wall clock. */
  readonly pausedUntilMs?: UtcMs | null;
  /** Called for each new pause, so that it can outlive the program, and for its early end (null). Wall clock. */
  readonly onPause?: (untilMs: UtcMs | null) => void;
  /** The number of concurrent requests that the service has refused; null if none is known. */
  readonly refusedConcurrency?: number | null;
  /** Called when it changes, so that it can outlive the program. */
  readonly onRefusedConcurrency?: (refused: number | null) => void;
}

/** Statuses of a gateway, or of the service itself, while the service is down; null if there was no response at all. */
const DOWN_STATUSES: ReadonlySet<number | null> = new Set([null, 502, 503, 504]);
/** A service that responds to every request with an error is not down: callers wait no longer than this. */
const MAX_ERROR_OUTAGE_MS = 600_000;

export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, random } = options;
  let concurrency = startConcurrency(options.maxConcurrency, options.refusedConcurrency ?? null);
  // On the monotonic clock: setting the computer's time must neither end nor extend a pause.
  let pause: Pause = NOT_PAUSED;
  let outage = NO_OUTAGE;
  let lastError: ServiceError | null = null;
  let isProbing = false;
  let permitCount = 0;
  let waiters: (() => void)[] = [];
  let change = new AbortController();
  const listeners = new Set<() => void>();

  const storedPauseMs = (options.pausedUntilMs ?? 0) - clock.wallMs();
  if (storedPauseMs > 0) pause = pausedAfter(NOT_PAUSED, clock.monotonicMs(), storedPauseMs);

  function wakeWaiters(): void {
    for (let free = concurrency.limit - permitCount; free > 0; free--) waiters.shift()?.();
  }

  async function freePermit(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiters.push(resolve);
    await raceCancellation(promise, signal);
    waiters = waiters.filter((waiter) => waiter !== resolve);
  }

  /** Wakes all callers that wait for the end of an outage or a pause. */
  function changed(): void {
    change.abort();
    change = new AbortController();
    for (const listener of listeners) listener();
  }

  function onResponse(): void {
    const wasOutage = isOutage(outage);
    outage = NO_OUTAGE;
    lastError = null;
    if (wasOutage) changed();
  }

  function onLoss(error: ServiceError): void {
    outage = afterFailure(outage, clock.monotonicMs(), random(), error.retryAfterMs);
    lastError = error;
    if (isOutage(outage)) changed();
  }

  /** How long the caller still waits for the end of the outage. */
  function patienceLeftMs(nowMs: number, patienceMs: number): number {
    // A response may be arriving. If it stops, its own timeout ends it.
    if (permitCount > 0) return Infinity;
    const isDown = DOWN_STATUSES.has(lastError?.status ?? null);
    const maxMs = isDown ? patienceMs : Math.min(patienceMs, MAX_ERROR_OUTAGE_MS);
    return (outage.sinceMs ?? nowMs) + maxMs - nowMs;
  }

  function setConcurrency(next: typeof concurrency): void {
    const isNew = next.refused !== concurrency.refused;
    concurrency = next;
    if (isNew) options.onRefusedConcurrency?.(next.refused);
  }

  function createPermit(isProbe: boolean): Permit {
    const { generation } = concurrency;
    permitCount++;
    if (isProbe) isProbing = true;
    return {
      isProbe,
      answered() {
        setConcurrency(afterAnswer(concurrency));
        pause = resumedAfter(pause, clock.monotonicMs());
        onResponse();
      },
      refused: onResponse,
      lost: onLoss,
      overloaded(isThreshold) {
        setConcurrency(afterOverload(concurrency, generation, isThreshold ? permitCount : null));
      },
      release() {
        permitCount--;
        if (isProbe) {
          isProbing = false;
          changed();
        }
        wakeWaiters();
      },
    };
  }

  return {
    async acquire(signal, patienceMs = Infinity) {
      while (!signal.aborted) {
        const nowMs = clock.monotonicMs();
        const waitMs = pauseWaitMs(pause, nowMs, random());
        if (waitMs > 0) {
          await clock.sleep(waitMs, AbortSignal.any([signal, change.signal]));
        } else if (isOutage(outage)) {
          if (!isProbing && outage.nextTryMs <= nowMs) return createPermit(true);
          const leftMs = patienceLeftMs(nowMs, patienceMs);
          if (leftMs <= 0) break;
          const nextMs = isProbing ? Infinity : outage.nextTryMs - nowMs;
          await sleep(clock, Math.min(nextMs, leftMs), AbortSignal.any([signal, change.signal]));
        } else if (permitCount >= concurrency.limit) {
          await freePermit(signal);
        } else return createPermit(false);
      }
      // This waiter may have consumed a wake-up that another one needs.
      wakeWaiters();
      return null;
    },
    pause(retryAfterMs) {
      const extended = pausedAfter(pause, clock.monotonicMs(), retryAfterMs);
      pause = extended;
      options.onPause?.(clock.wallMs() + (extended.waitUntilMs - clock.monotonicMs()));
    },
    resume() {
      if (pause.waitUntilMs === null) return;
      pause = NOT_PAUSED;
      options.onPause?.(null);
      changed();
    },
    concurrency: () => concurrency.limit,
    maxConcurrency: () => concurrency.max,
    pausedUntilMs() {
      const leftMs = (pause.waitUntilMs ?? -Infinity) - clock.monotonicMs();
      return leftMs > 0 ? clock.wallMs() + leftMs : null;
    },
    outage() {
      if (!isOutage(outage) || outage.sinceMs === null || lastError === null) return null;
      const toWallMs = clock.wallMs() - clock.monotonicMs();
      return {
        sinceMs: Math.round(outage.sinceMs + toWallMs),
        nextTryMs: Math.round(outage.nextTryMs + toWallMs),
        failures: outage.failures,
        error: lastError,
      };
    },
    recordResult(error) {
      if (error === null) onResponse();
      else onLoss(error);
    },
    probeNow() {
      if (!isOutage(outage)) return;
      outage = { ...outage, nextTryMs: clock.monotonicMs() };
      changed();
    },
    onOutage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Sleeps for any time, even without end: system timers have a maximum delay. */
async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms !== Infinity) return clock.sleep(ms, signal);
  await raceCancellation(new Promise<never>(() => {}), signal);
}
