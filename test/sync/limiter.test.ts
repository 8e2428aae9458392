import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { ServiceError } from "#shared/service/error.ts";
import { Limiter, type Permit } from "#main/sync/limiter.ts";
import { fakeClock } from "./fakeClock.ts";

const BUSY: ServiceError = {
  kind: "busy",
  message: "Too many requests.",
  status: 429,
  limitPoints: null,
  retryAfterMs: null,
  cause: null,
};
const busyFor = (retryAfterMs: number): ServiceError => ({ ...BUSY, retryAfterMs });

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

function counter() {
  let n = 0;
  return { random: () => (n += 0.37) % 1, clock: fakeClock() };
}

describe("limiter", () => {
  it("grants as many permits as the concurrency allows, and the next one when a permit is released", async () => {
    const limiter = new Limiter(counter());
    const permits: Permit[] = [];
    for (let i = 0; i < 3; i++) void limiter.acquire(never).then((p) => p && permits.push(p));
    await settle();
    expect(permits).toHaveLength(2);
    permits[0]!.release();
    await settle();
    expect(permits).toHaveLength(3);
  });

  it("holds all requests without a permit during a pause, and resumes them spread over time", async () => {
    const { clock, random } = counter();
    const limiter = new Limiter({ clock, random, maxConcurrency: 8 });
    const first = (await limiter.acquire(never))!;
    first.ended(busyFor(10_000));
    first.release();
    const backAt: number[] = [];
    for (let i = 0; i < 5; i++) {
      void limiter.acquire(never).then((p) => (p?.release(), backAt.push(clock.monotonicMs())));
    }
    await clock.advance(9_999);
    expect(backAt).toEqual([]);
    await clock.advance(3_000);
    expect(backAt).toHaveLength(5);
    expect(new Set(backAt).size).toBeGreaterThan(3);
  });

  it("ends a pause early when the service has answered a request of the user", async () => {
    const { clock, random } = counter();
    const limiter = new Limiter({ clock, random });
    limiter.checked(busyFor(300_000));
    let isThrough = false;
    void limiter.acquire(never).then(() => (isThrough = true));
    await clock.advance(1_000);
    expect(isThrough).toBe(false);
    limiter.checked(null);
    await clock.advance(0);
    expect([isThrough, limiter.pausedUntilMs()]).toEqual([true, null]);
  });

  it("does not try a number of concurrent requests again that the service has refused", async () => {
    const { clock, random } = counter();
    let known: number | null = null;
    const options = { clock, random, onRefusedConcurrency: (refused: number | null) => (known = refused) };
    const limiter = new Limiter(options);
    const permits = [await limiter.acquire(never), await limiter.acquire(never)];
    permits[0]!.ended(busyFor(0));
    await clock.advance(1_000);
    for (const permit of permits) permit!.release();
    expect([known, limiter.concurrency()]).toEqual([2, 1]);
    for (const each of [limiter, new Limiter({ ...options, refusedConcurrency: known })]) {
      for (let i = 0; i < 100; i++) {
        const permit = (await each.acquire(never))!;
        permit.ended(null);
        permit.release();
      }
      expect(each.concurrency()).toBe(1);
    }
  });

  it("ignores changes of the wall clock during a wait", async () => {
    const { clock, random } = counter();
    const limiter = new Limiter({ clock, random });
    limiter.checked(busyFor(5_000));
    let through = false;
    void limiter.acquire(never).then(() => (through = true));
    clock.setWall(Date.UTC(2040, 0, 1));
    await clock.advance(4_000);
    expect(through).toBe(false);
    clock.setWall(Date.UTC(1999, 0, 1));
    await clock.advance(2_000);
    expect(through).toBe(true);
  });

  it("continues a pause after a restart, and shortens a stored one that is too long", async () => {
    const { clock, random } = counter();
    let remembered: number | null = null;
    new Limiter({ clock, random, onPause: (untilMs) => (remembered = untilMs) }).checked(busyFor(60_000));
    await clock.advance(10_000);
    const again = new Limiter({ clock, random, pausedUntilMs: remembered });
    expect(again.pausedUntilMs()).toBe(remembered);
    const absurd = new Limiter({ clock, random, pausedUntilMs: clock.wallMs() + 1e12 });
    expect(absurd.pausedUntilMs()! - clock.wallMs()).toBeLessThanOrEqual(600_000);
  });

  it("leaves no listener on the signal of a job after its requests waited for permits", async () => {
    const { clock, random } = counter();
    const limiter = new Limiter({ clock, random, maxConcurrency: 1 });
    const job = new AbortController();
    let held = (await limiter.acquire(job.signal))!;
    for (let i = 0; i < 20; i++) {
      const next = limiter.acquire(job.signal);
      await settle();
      held.release();
      held = (await next)!;
    }
    expect(getEventListeners(job.signal, "abort")).toEqual([]);
  });

  it("gives the permit of an aborted waiter to another one", async () => {
    const limiter = new Limiter({ ...counter(), maxConcurrency: 1 });
    const first = (await limiter.acquire(never))!;
    const stop = new AbortController();
    const aborted = limiter.acquire(stop.signal);
    let through = false;
    void limiter.acquire(never).then(() => (through = true));
    // The first waiter is woken and aborts at the same time.
    first.release();
    stop.abort();
    (await aborted)?.release();
    await settle();
    expect(through).toBe(true);
  });
});

function failed(kind: ServiceError["kind"], status: number | null = null): ServiceError {
  return { ...BUSY, kind, status };
}

describe("whether the service is reachable", () => {
  it.each([
    ["a response", [null], "online"],
    ["a refusal", [failed("forbidden", 403)], "online"],
    ["one lost request", [failed("network")], "unknown"],
    ["one lost request after a response", [null, failed("network")], "online"],
    [
      "three lost requests in a row",
      [null, failed("network"), failed("unavailable", 503), failed("truncated")],
      "offline",
    ],
    ["losses with a response between them", [failed("network"), failed("network"), null, failed("network")], "online"],
    ["a page of another program", [null, failed("notTheService", 200)], "offline"],
    ["a request that could not be built, or was cancelled", [failed("invalid"), failed("cancelled")], "unknown"],
  ] as const)("is judged after %s", async (_, ends, state) => {
    const limiter = new Limiter(counter());
    for (const error of ends) {
      const permit = (await limiter.acquire(never))!;
      permit.ended(error);
      permit.release();
    }
    expect(limiter.reach().state).toBe(state);
  });

  it("is denied by one lost request that the user asked for, since its first failure", async () => {
    const { clock, random } = counter();
    const states: string[] = [];
    const limiter = new Limiter({ clock, random, onReach: ({ state }) => states.push(state) });
    limiter.checked(null);
    const sinceMs = clock.wallMs();
    limiter.checked(failed("network"));
    await clock.advance(60_000);
    expect(limiter.reach()).toMatchObject({ state: "offline", sinceMs });
    limiter.checked(null);
    expect(states).toEqual(["online", "offline", "online"]);
  });
});
