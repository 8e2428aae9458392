import type { UtcMs } from "#shared/time/utc.ts";
import { afterAnswer, afterOverload, startConcurrency } from "../planner/concurrency.ts";
import { closeGate, type Gate, gateWaitMs, OPEN_GATE, openGate } from "../planner/gate.ts";
import type { Clock } from "./clock.ts";

/** The right to have one request under way. */
export interface Pass {
  /** The service answered: it bears this much, and perhaps one more. */
  answered(): void;
  /** The service has too much to do (429, 503): half as many from now on. */
  overloaded(): void;
  /** Gives the place back; to be called in every case, once. */
  leave(): void;
}

/**
 * The one way to the service that all jobs of a connection share: at most so many requests at once as the service has
 * been seen to bear, and none while it asks to wait. Waiting at the closed gate holds no place, and those who waited
 * come back spread over time, not together.
 */
export interface Turnstile {
  /** null when the signal aborted before there was room. */
  enter(signal: AbortSignal): Promise<Pass | null>;
  /** The service asked everyone to wait; null where it did not say how long. */
  close(retryAfterMs: number | null): void;
  concurrency(): number;
  maxConcurrency(): number;
  /** Wall-clock time until which the gate is closed, null while it is open. */
  closedUntilMs(): UtcMs | null;
}

export interface TurnstileOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxConcurrency?: number;
  /** A wait that was still running when the program ended. Wall clock. */
  readonly closedUntilMs?: UtcMs | null;
  /** Called with each new wait, so that it can outlive the program. Wall clock. */
  readonly onClosed?: (untilMs: UtcMs) => void;
}

export function createTurnstile(options: TurnstileOptions): Turnstile {
  const { clock, random } = options;
  const max = options.maxConcurrency;
  let concurrency = startConcurrency(max === undefined ? {} : { max });
  // The gate runs on the monotonic clock: a wait must not end, or never end, because someone set the time.
  let gate: Gate = OPEN_GATE;
  let underWay = 0;
  let waiting: (() => void)[] = [];

  const rememberedMs = (options.closedUntilMs ?? 0) - clock.wallMs();
  if (rememberedMs > 0) gate = closeGate(OPEN_GATE, clock.monotonicMs(), rememberedMs);

  function wakeFree(): void {
    for (let free = concurrency.limit - underWay; free > 0; free--) waiting.shift()?.();
  }

  async function room(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    waiting = waiting.filter((w) => w !== resolve);
  }

  function pass(): Pass {
    const { generation } = concurrency;
    underWay++;
    return {
      answered() {
        concurrency = afterAnswer(concurrency);
        gate = openGate(gate, clock.monotonicMs());
      },
      overloaded() {
        concurrency = afterOverload(concurrency, generation);
      },
      leave() {
        underWay--;
        wakeFree();
      },
    };
  }

  return {
    async enter(signal) {
      while (!signal.aborted) {
        const waitMs = gateWaitMs(gate, clock.monotonicMs(), random());
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        else if (underWay >= concurrency.limit) await room(signal);
        else return pass();
      }
      // This waiter may have taken a wake-up that one who still waits needs.
      wakeFree();
      return null;
    },
    close(retryAfterMs) {
      gate = closeGate(gate, clock.monotonicMs(), retryAfterMs);
      options.onClosed?.(clock.wallMs() + (gate.waitUntilMs! - clock.monotonicMs()));
    },
    concurrency: () => concurrency.limit,
    maxConcurrency: () => concurrency.max,
    closedUntilMs() {
      const leftMs = (gate.waitUntilMs ?? -Infinity) - clock.monotonicMs();
      return leftMs > 0 ? clock.wallMs() + leftMs : null;
    },
  };
}
