import { raceCancellation } from "#shared/async.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { afterAnswer, afterOverload, startConcurrency } from "../planner/concurrency.ts";
import { meaningOf } from "../planner/failures.ts";
import { NOT_PAUSED, type Pause, pausedAfter, pauseWaitMs, resumedAfter } from "../planner/pause.ts";
import type { Clock } from "./clock.ts";
import { createReachWatch, type OutageStatus, type ReachStatus } from "./reach.ts";

/** The right to send one request. */
export interface Permit {
  /** Whether this request tests if an outage has ended. */
  readonly isProbe: boolean;
  /**
   * Records how the request ended, before its permit is released: a response (null) shows that the service carries this
   * load and perhaps one more request, a failure may mean an overload, a pause or an outage.
   */
  ended(error: ServiceError | null): void;
  /** Releases the permit; must be called exactly once, whatever the result. */
  release(): void;
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
  /** Records how a request ended that the user made outside of the limiter, to check whether the service responds. */
  checked(error: ServiceError | null): void;
  concurrency(): number;
  maxConcurrency(): number;
  /** Wall-clock time until which requests pause; null if they do not. */
  pausedUntilMs(): UtcMs | null;
  reach(): ReachStatus;
  /** The current outage, or null. */
  outage(): OutageStatus | null;
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
  /** Called when the service becomes reachable or unreachable. */
  readonly onReach?: (status: ReachStatus) => void;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, random } = options;
  let concurrency = startConcurrency(options.maxConcurrency, options.refusedConcurrency ?? null);
  // On the monotonic clock: setting the computer's time must neither end nor extend a pause.
  let pause: Pause = NOT_PAUSED;
  let isProbing = false;
  let permitCount = 0;
  let waiters: (() => void)[] = [];
  let change = new AbortController();
  const listeners = new Set<() => void>();
  const reach = createReachWatch({
    clock,
    random,
    onOutage: changed,
    onStatus: () => options.onReach?.(reach.status()),
  });

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

  /** @param retryAfterMs null if the service did not say how long */
  function startPause(retryAfterMs: number | null): void {
    const extended = pausedAfter(pause, clock.monotonicMs(), retryAfterMs);
    pause = extended;
    options.onPause?.(clock.wallMs() + (extended.waitUntilMs - clock.monotonicMs()));
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
      ended(error) {
        const overload = error === null ? undefined : meaningOf(error).overload;
        if (error === null) {
          setConcurrency(afterAnswer(concurrency));
          pause = resumedAfter(pause, clock.monotonicMs());
        } else if (overload) {
          setConcurrency(afterOverload(concurrency, generation, overload === "number" ? permitCount : null));
          if (overload === "number") startPause(error.retryAfterMs);
        }
        reach.record(error);
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
        const waitMs = pauseWaitMs(pause, clock.monotonicMs(), random());
        const nextProbeMs = reach.nextProbeMs();
        if (waitMs > 0) {
          await clock.sleep(waitMs, AbortSignal.any([signal, change.signal]));
        } else if (nextProbeMs !== null) {
          if (!isProbing && nextProbeMs <= 0) return createPermit(true);
          // A response may be arriving. If it stops, its own timeout ends it.
          const leftMs = permitCount > 0 ? Infinity : reach.patienceLeftMs(patienceMs);
          if (leftMs <= 0) break;
          const nextMs = isProbing ? Infinity : nextProbeMs;
          await sleep(clock, Math.min(nextMs, leftMs), AbortSignal.any([signal, change.signal]));
        } else if (permitCount >= concurrency.limit) {
          await freePermit(signal);
        } else return createPermit(false);
      }
      // This waiter may have consumed a wake-up that another one needs.
      wakeWaiters();
      return null;
    },
    checked(error) {
      reach.record(error, true);
      if (error?.kind === "busy") startPause(error.retryAfterMs);
      if (error !== null || pause.waitUntilMs === null) return;
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
    reach: () => reach.status(),
    outage: () => reach.outage(),
    probeNow: () => reach.probeNow(),
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
