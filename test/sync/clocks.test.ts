import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Clock } from "#main/sync/clock.ts";
import { systemClock } from "#main/sync/clock.ts";
import { runJob } from "#main/sync/job.ts";
import type { Session } from "#main/sync/session.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { includes, rangeSet } from "#shared/time/rangeset.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { type DateProxy, startDateProxy } from "../support/dateProxy.ts";
import { clientFor, type Desk, never, NOW_MS, openDesk } from "../support/desk.ts";
import { gateCases } from "../support/endurance.ts";

const YEARS_MS = 3_653 * DAY_MS;

/** The true time, which is also the time of the service. */
let trueMs: number;
let clientErrorMs: number;
let desk: Desk;
let proxy: DateProxy;

const clock: Clock = {
  wallMs: () => trueMs + clientErrorMs,
  monotonicMs: () => trueMs - NOW_MS + 1_000,
  sleep: systemClock.sleep,
};

beforeEach(async () => {
  trueMs = NOW_MS;
  clientErrorMs = 0;
  desk = await openDesk({ now: () => trueMs, session: { clock } });
  proxy = await startDateProxy(desk.service.url);
});

afterEach(async () => {
  await proxy.close();
  await desk.close();
});

/** Wrong values of a `Date` header. */
const WRONG_DATES: Readonly<Record<string, (sent: string) => string | null>> = {
  truth: (sent) => sent,
  tenYearsBack: (sent) => new Date(Date.parse(sent) - YEARS_MS).toUTCString(),
  tenYearsAhead: (sent) => new Date(Date.parse(sent) + YEARS_MS).toUTCString(),
  epoch: () => new Date(0).toUTCString(),
  frozen: () => new Date(NOW_MS).toUTCString(),
  hourBehind: (sent) => new Date(Date.parse(sent) - HOUR_MS).toUTCString(),
  absent: () => null,
  junk: () => "Tue, 99 Foo 20xx",
};

function open(fresh: boolean): Session {
  const client = clientFor(proxy.url);
  return (fresh ? desk.fresh({ client }) : desk.reopen({ client })).session;
}

function jobUpTo(stationIds: string[], endMs: number): JobSpec {
  return {
    stationIds,
    variables: ["ztd"],
    range: { startMs: NOW_MS - 4 * HOUR_MS, endMs },
    intervalSeconds: null,
    raw: false,
  };
}

/** The latest moment that was requested since the last call. */
function requestedUntil(): number {
  const queries = desk.service.stats.log.flatMap(({ query }) => query ?? []);
  desk.service.resetStats();
  return Math.max(-Infinity, ...queries.map((q) => q.endMs));
}

const steps = fc.array(
  fc.record({
    passMs: fc.constantFrom(0, 2_000, 30_000, 6 * MINUTE_MS, HOUR_MS, 7 * HOUR_MS, DAY_MS),
    clientErrorMs: fc.constantFrom(0, 0, -3 * DAY_MS, 3 * DAY_MS, -YEARS_MS, YEARS_MS, 40 * MINUTE_MS, -40 * MINUTE_MS),
    dateKind: fc.constantFrom("truth", "truth", ...Object.keys(WRONG_DATES)),
    restarts: fc.boolean(),
    isToFuture: fc.boolean(),
  }),
  { minLength: 2, maxLength: 5 },
);

it("records no unsettled data as final and omits no available data if one clock is wrong", async () => {
  const [id] = desk.stations(1) as [string];
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      trueMs = NOW_MS;
      clientErrorMs = 0;
      proxy.date = WRONG_DATES["truth"]!;
      let session = open(true);
      let lastRequestedMs = -Infinity;
      for (const step of history) {
        trueMs += step.passMs;
        // Only one of the clocks is wrong at a time.
        clientErrorMs = step.dateKind === "truth" ? step.clientErrorMs : 0;
        proxy.date = WRONG_DATES[step.dateKind]!;
        if (step.restarts) session = session === desk.session ? open(false) : session;
        requestedUntil();
        const spec = jobUpTo([id], step.isToFuture ? trueMs + DAY_MS : trueMs);
        const outcome = await runJob(session, spec, { signal: never });
        expect(outcome.state).toBe("finished");
        const { final } = session.cache.coverage(id, "ztd", spec);
        expect(Math.max(0, ...final.map((r) => r.endMs))).toBeLessThanOrEqual(trueMs + 3_000);
        const requestedMs = requestedUntil();
        const isDue = trueMs - lastRequestedMs > 5 * MINUTE_MS + 3_000;
        expect(requestedMs).toBeGreaterThanOrEqual(isDue ? trueMs - 10 * MINUTE_MS : -Infinity);
        if (requestedMs > trueMs - 10 * MINUTE_MS) lastRequestedMs = trueMs;
      }
      // All clocks are right again: after a few responses the state is as if they had always been.
      clientErrorMs = 0;
      proxy.date = WRONG_DATES["truth"]!;
      for (let i = 0; i < 6; i++) {
        trueMs += 6 * MINUTE_MS;
        await runJob(session, jobUpTo([id], trueMs), { signal: never });
      }
      expect(session.clockDisagreement()).toBeNull();
      const { final } = session.cache.coverage(id, "ztd", jobUpTo([id], trueMs));
      const newestMs = session.cache.station(id)!.dataLastUpdatedMs!;
      expect(includes(rangeSet(final), Math.min(newestMs, trueMs) - HOUR_MS - 7 * MINUTE_MS)).toBe(true);
      requestedUntil();
      await runJob(session, jobUpTo([id], trueMs), { signal: never });
      expect(requestedUntil()).toBe(-Infinity);
    }),
    { numRuns: gateCases(10) },
  );
});

it.each(["tenYearsBack", "tenYearsAhead", "epoch"])(
  "reports a wrong Date header (%s), and when it is right again",
  async (dateKind) => {
    const reports: unknown[] = [];
    const client = clientFor(proxy.url);
    const { session } = desk.fresh({ client, onClocks: (disagreement) => reports.push(disagreement) });
    const ids = desk.stations(1);
    proxy.date = WRONG_DATES[dateKind]!;
    await runJob(session, jobUpTo(ids, trueMs), { signal: never });
    expect(session.clockDisagreement()).not.toBeNull();
    proxy.date = WRONG_DATES["truth"]!;
    for (let i = 0; i < 5; i++) {
      trueMs += 6 * MINUTE_MS;
      await runJob(session, jobUpTo(ids, trueMs), { signal: never });
    }
    expect(reports.at(0)).not.toBeNull();
    expect(reports.at(-1)).toBeNull();
  },
);

it("requests the catalogue before a range counts as in the future or a station as without data", async () => {
  const ids = desk.stations(1);
  const session = open(true);
  await runJob(session, jobUpTo(ids, trueMs), { signal: never });
  trueMs += 2 * DAY_MS;
  clientErrorMs = -3 * DAY_MS;
  const later = { ...jobUpTo(ids, trueMs), range: { startMs: trueMs - HOUR_MS, endMs: trueMs } };
  requestedUntil();
  const outcome = await runJob(open(false), later, { signal: never });
  expect(outcome.state).toBe("finished");
  expect(requestedUntil()).toBe(trueMs);
});

it("is not misled by one of three receivers that reports a measurement of the future", async () => {
  proxy.date = WRONG_DATES["absent"]!;
  const session = open(true);
  await runJob(session, jobUpTo(desk.stations(1), trueMs), { signal: never });
  const [first, ...others] = session.cache.catalogue().stations.slice(0, 3);
  const future = { ...first!, dataLastUpdatedMs: trueMs + YEARS_MS };
  session.cache.replaceCatalogue([future, ...others], [], trueMs);
  expect(session.time().latestMs).toBeLessThan(trueMs + DAY_MS);
});

it("requests data again that was downloaded while the clock was ahead", async () => {
  const ids = desk.stations(1);
  clientErrorMs = YEARS_MS;
  proxy.date = WRONG_DATES["absent"]!;
  await runJob(open(true), jobUpTo(ids, trueMs), { signal: never });
  clientErrorMs = 0;
  trueMs += 20 * MINUTE_MS;
  const session = open(true);
  session.cache.replaceCatalogue(session.cache.catalogue().stations, [], trueMs + YEARS_MS);
  requestedUntil();
  await runJob(session, jobUpTo(ids, trueMs), { signal: never });
  expect(requestedUntil()).toBe(trueMs);
});
