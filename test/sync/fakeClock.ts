import type { Clock } from "#main/sync/clock.ts";

/** A clock that advances only on request: waits end in order, exactly on time. */
export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>;
  /** Sets the wall clock only, as a user or a time service does. */
  setWall(ms: number): void;
  sleepers(): number;
}

/** Lets all pending promises continue. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

export function fakeClock(wallStartMs = Date.UTC(2026, 0, 1)): FakeClock {
  let monotonic = 1_000;
  let wallOffset = wallStartMs - monotonic;
  let sleeping: { atMs: number; wake: () => void }[] = [];
  return {
    wallMs: () => monotonic + wallOffset,
    monotonicMs: () => monotonic,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const entry = { atMs: monotonic + ms, wake: resolve };
        sleeping.push(entry);
        signal.addEventListener("abort", () => {
          sleeping = sleeping.filter((s) => s !== entry);
          resolve();
        });
      }),
    async advance(ms) {
      const endMs = monotonic + ms;
      await settle();
      for (;;) {
        const next = sleeping.filter((s) => s.atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs)[0];
        if (!next) break;
        monotonic = Math.max(monotonic, next.atMs);
        sleeping = sleeping.filter((s) => s !== next);
        next.wake();
        await settle();
      }
      monotonic = endMs;
      await settle();
    },
    setWall: (ms) => {
      wallOffset = ms - monotonic;
    },
    sleepers: () => sleeping.length,
  };
}
