// Promise: what was learned about a service holds for all programs of a connection, and stations that it refuses are left
// out for a day, by the clock of the service.
import { expect, it } from "vitest";
import { NO_LIMITS } from "#main/planner/limits.ts";
import { createSharedClaims } from "#main/sync/claims.ts";
import { runJob } from "#main/sync/job.ts";
import { RequestQueue } from "#main/sync/requestQueue.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { fakeClock } from "./fakeClock.ts";
import { idOf, openHostile, specOf } from "./hostileService.ts";

const never = new AbortController().signal;
const LIMITS = { ...NO_LIMITS, stated: { value: 700, streak: 0 } };
const REFUSAL = { kind: "forbidden", reason: "No." } as const;

it("keeps what two programs learn at the same time, and what the user takes back", async () => {
  const hostile = await openHostile(1);
  const [window, nightly] = [hostile.session, hostile.again()];
  nightly.profile.refuse(idOf(1), REFUSAL, nightly.serverNowMs());
  window.learn(LIMITS);
  nightly.profile.learnConcurrency(5);
  for (const { profile } of [window, nightly, hostile.again()]) {
    expect(profile.limits()).toEqual(LIMITS);
    expect(profile.refusedConcurrency()).toBe(5);
    expect([...profile.refusedStations().keys()]).toEqual([idOf(1)]);
  }
  window.profile.allow([idOf(1)]);
  nightly.profile.learnConcurrency(4);
  expect([...hostile.again().profile.refusedStations()]).toEqual([]);
});

it.each([-3 * DAY_MS, 3 * DAY_MS])(
  "leaves out a refused station for a day, if this clock errs by %i ms",
  async (clockErrorMs) => {
    const hostile = await openHostile(2, { clockErrorMs });
    hostile.behave((request) => ("points" in request && request.stations.includes(1) ? { status: 403 } : null));
    const requestsOf = async (epochs: number): Promise<number> => {
      const before = hostile.requests.length;
      await runJob(hostile.again(), specOf(2, epochs), { signal: never });
      return hostile.requests.slice(before).filter(({ stations }) => stations.includes(1)).length;
    };
    expect(await requestsOf(10)).toBeGreaterThan(0);
    expect(await requestsOf(20)).toBe(0);
    await hostile.clock.sleep(25 * HOUR_MS, never);
    expect(await requestsOf(30)).toBeGreaterThan(0);
  },
);

it("looks once for the end of another program's download, however many workers wait", async () => {
  const clock = fakeClock();
  let looks = 0;
  let isTaken = true;
  const take = () => {
    looks++;
    return isTaken ? null : () => undefined;
  };
  const range = { startMs: 0, endMs: 60_000 };
  const request = {
    stationIds: ["a"],
    variables: ["ztd" as const],
    range,
    points: 2,
    intervalSeconds: null,
    raw: false,
  };
  const queue = new RequestQueue(
    { claims: createSharedClaims({ take, version: () => 0 }, clock) },
    (within) => [within ?? request],
    () => false,
    () => undefined,
  );
  const workers = Array.from({ length: 8 }, () => queue.take());
  await clock.advance(0);
  looks = 0;
  await clock.advance(60_000);
  expect(looks).toBeLessThanOrEqual(120);
  isTaken = false;
  await clock.advance(1_000);
  queue.settle((await Promise.race(workers))!);
  expect((await Promise.all(workers)).filter((claimed) => claimed !== null).length).toBe(1);
});
