import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "#main/sync/clock.ts";

/** Turns of the event loop without work, after which only time can continue the program. */
const QUIET_TURNS = 25;

/**
 * A clock that leaps to the end of the shortest wait while no request is active. Requests use real sockets and take no
 * time.
 *
 * @param isBusy whether a request is active
 */
export function leapingClock(
  isBusy: () => boolean,
  wallStartMs: number,
): Clock & { readonly pass: (ms: number) => void } {
  let nowMs = 1_000;
  let sleeping: { readonly atMs: number; readonly wake: () => void }[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let quiet = 0; sleeping.length > 0;) {
      await turn();
      quiet = isBusy() ? 0 : quiet + 1;
      if (quiet < QUIET_TURNS || sleeping.length === 0) continue;
      quiet = 0;
      const next = sleeping.reduce((a, b) => (b.atMs < a.atMs ? b : a));
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
    }
    isRunning = false;
  }

  return {
    wallMs: () => wallStartMs + nowMs,
    monotonicMs: () => nowMs,
    /** Lets time pass while a request is under way. */
    pass: (ms) => void (nowMs += ms),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const entry = { atMs: nowMs + Math.max(0, ms), wake: end };
        function end(): void {
          sleeping = sleeping.filter((s) => s !== entry);
          resolve();
        }
        sleeping.push(entry);
        signal.addEventListener("abort", end, { once: true });
        void run();
      }),
  };
}
