import { raceCancellation } from "#shared/async.ts";
import type { ServiceError } from "#shared/service/error.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { afterAnswer, afterOverload, type Concurrency, startConcurrency } from "../planner/concurrency.ts";
import { meaningOf } from "../planner/failures.ts";
import { NOT_PAUSED, type Pause, pausedAfter, pauseWaitMs, resumedAfter } from "../planner/pause.ts";
import type { Clock } from "./clock.ts";
import { ReachWatch, type OutageStatus, type ReachStatus } from "./reach.ts";

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

/**
 * Limits the requests of all jobs of a connection: as many at once as the service has proved to carry, and none while
 * it asks clients to wait. Waiting for the end of a pause holds no permit, and the waiting requests resume spread over
 * time. During an outage, one request at a time probes the service, and all others wait.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  #concurrency;
  // On the monotonic clock: setting the computer's time must neither end nor extend a pause.
  #pause: Pause = NOT_PAUSED;
  #isProbing = false;
  #permitCount = 0;
  #waiters: (() => void)[] = [];
  #change = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #reach;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#concurrency = startConcurrency(options.maxConcurrency, options.refusedConcurrency ?? null);
    this.#reach = new ReachWatch({
      clock: options.clock,
      random: options.random,
      onOutage: () => this.#changed(),
      onStatus: () => options.onReach?.(this.#reach.status()),
    });
    const storedPauseMs = (options.pausedUntilMs ?? 0) - options.clock.wallMs();
    if (storedPauseMs > 0) this.#pause = pausedAfter(NOT_PAUSED, options.clock.monotonicMs(), storedPauseMs);
  }

  /**
   * @param patienceMs how long an outage may last, from its first failure, before the caller gives up
   * @returns null if the signal aborted before a permit was free, or if the patience ended
   */
  async acquire(signal: AbortSignal, patienceMs: number = Infinity): Promise<Permit | null> {
    while (!signal.aborted) {
      const waitMs = pauseWaitMs(this.#pause, this.#options.clock.monotonicMs(), this.#options.random());
      const nextProbeMs = this.#reach.nextProbeMs();
      if (waitMs > 0) {
        await this.#options.clock.sleep(waitMs, AbortSignal.any([signal, this.#change.signal]));
      } else if (nextProbeMs !== null) {
        if (!this.#isProbing && nextProbeMs <= 0) return this.#createPermit(true);
        // A response may be arriving. If it stops, its own timeout ends it.
        const leftMs = this.#permitCount > 0 ? Infinity : this.#reach.patienceLeftMs(patienceMs);
        if (leftMs <= 0) break;
        const nextMs = this.#isProbing ? Infinity : nextProbeMs;
        await sleep(this.#options.clock, Math.min(nextMs, leftMs), AbortSignal.any([signal, this.#change.signal]));
      } else if (this.#permitCount >= this.#concurrency.limit) {
        await this.#freePermit(signal);
      } else return this.#createPermit(false);
    }
    // This waiter may have consumed a wake-up that another one needs.
    this.#wakeWaiters();
    return null;
  }

  /** Records how a request ended that the user made outside of the limiter, to check whether the service responds. */
  checked(error: ServiceError | null): void {
    this.#reach.record(error, true);
    if (error?.kind === "busy") this.#startPause(error.retryAfterMs);
    if (error !== null || this.#pause.waitUntilMs === null) return;
    this.#pause = NOT_PAUSED;
    this.#options.onPause?.(null);
    this.#changed();
  }

  concurrency(): number {
    return this.#concurrency.limit;
  }

  maxConcurrency(): number {
    return this.#concurrency.max;
  }

  /** Wall-clock time until which requests pause; null if they do not. */
  pausedUntilMs(): UtcMs | null {
    const leftMs = (this.#pause.waitUntilMs ?? -Infinity) - this.#options.clock.monotonicMs();
    return leftMs > 0 ? this.#options.clock.wallMs() + leftMs : null;
  }

  reach(): ReachStatus {
    return this.#reach.status();
  }

  /** The current outage, or null. */
  outage(): OutageStatus | null {
    return this.#reach.outage();
  }

  /** Probes the service at once if there is an outage. */
  probeNow(): void {
    this.#reach.probeNow();
  }

  /** Calls the listener when an outage begins, ends, or is probed. Returns a function that removes it. */
  onOutage(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #wakeWaiters(): void {
    for (let free = this.#concurrency.limit - this.#permitCount; free > 0; free--) this.#waiters.shift()?.();
  }

  async #freePermit(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    await raceCancellation(promise, signal);
    this.#waiters = this.#waiters.filter((waiter) => waiter !== resolve);
  }

  /** Wakes all callers that wait for the end of an outage or a pause. */
  #changed(): void {
    this.#change.abort();
    this.#change = new AbortController();
    for (const listener of this.#listeners) listener();
  }

  /** @param retryAfterMs null if the service did not say how long */
  #startPause(retryAfterMs: number | null): void {
    const extended = pausedAfter(this.#pause, this.#options.clock.monotonicMs(), retryAfterMs);
    this.#pause = extended;
    this.#options.onPause?.(this.#options.clock.wallMs() + (extended.waitUntilMs - this.#options.clock.monotonicMs()));
  }

  #setConcurrency(next: Concurrency): void {
    const isNew = next.refused !== this.#concurrency.refused;
    this.#concurrency = next;
    if (isNew) this.#options.onRefusedConcurrency?.(next.refused);
  }

  #createPermit(isProbe: boolean): Permit {
    const { generation } = this.#concurrency;
    this.#permitCount++;
    if (isProbe) this.#isProbing = true;
    return {
      isProbe,
      ended: (error) => {
        const overload = error === null ? undefined : meaningOf(error).overload;
        if (error === null) {
          this.#setConcurrency(afterAnswer(this.#concurrency));
          this.#pause = resumedAfter(this.#pause, this.#options.clock.monotonicMs());
        } else if (overload) {
          this.#setConcurrency(
            afterOverload(this.#concurrency, generation, overload === "number" ? this.#permitCount : null),
          );
          if (overload === "number") this.#startPause(error.retryAfterMs);
        }
        this.#reach.record(error);
      },
      release: () => {
        this.#permitCount--;
        if (isProbe) {
          this.#isProbing = false;
          this.#changed();
        }
        this.#wakeWaiters();
      },
    };
  }
}

/** Sleeps for any time, even without end: system timers have a maximum delay. */
async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms !== Infinity) return clock.sleep(ms, signal);
  await raceCancellation(new Promise<never>(() => {}), signal);
}
