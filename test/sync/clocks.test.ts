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

const YEARS_MS = 3_653 * DAY_MS;

/** The true time, at the service and everywhere. */
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
const LIES: Readonly<Record<string, (sent: string) => string | null>> = {
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
function askedUntil(): number {
  const queries = desk.service.stats.log.flatMap(({ query }) => query ?? []);
  desk.service.resetStats();
  return Math.max(-Infinity, ...queries.map((q) => q.endMs));
}

const steps = fc.array(
  fc.record({
    passMs: fc.constantFrom(0, 2_000, 30_000, 6 * MINUTE_MS, HOUR_MS, 7 * HOUR_MS, DAY_MS),
    clientErrorMs: fc.constantFrom(0, 0, -3 * DAY_MS, 3 * DAY_MS, -YEARS_MS, YEARS_MS, 40 * MINUTE_MS, -40 * MINUTE_MS),
    lie: fc.constantFrom("truth", "truth", ...Object.keys(LIES)),
    restarts: fc.boolean(),
    isToFuture: fc.boolean(),
  }),
  { minLength: 2, maxLength: 5 },
);

it("never records unsettled data as final, nor omits available data, whatever one clock says", async () => {
  const [id] = desk.stations(1) as [string];
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      trueMs = NOW_MS;
      clientErrorMs = 0;
      proxy.date = LIES["truth"]!;
      let session = open(true);
      let lastAskedMs = -Infinity;
      for (const step of history) {
        trueMs += step.passMs;
        // One of the two may be wrong, not both at once.
        clientErrorMs = step.lie === "truth" ? step.clientErrorMs : 0;
        proxy.date = LIES[step.lie]!;
        if (step.restarts) session = session === desk.session ? open(false) : session;
        askedUntil();
        const spec = jobUpTo([id], step.isToFuture ? trueMs + DAY_MS : trueMs);
        const outcome = await runJob(session, spec, { signal: never });
        expect(outcome.state).toBe("finished");
        const { final } = session.cache.coverage(id, "ztd", spec);
        expect(includes(rangeSet(final), trueMs - HOUR_MS + 1)).toBe(false);
        expect(Math.max(0, ...final.map((r) => r.endMs))).toBeLessThanOrEqual(trueMs - HOUR_MS + 3_000);
        const asked = askedUntil();
        const isDue = trueMs - lastAskedMs > 5 * MINUTE_MS + 3_000;
        expect(asked).toBeGreaterThanOrEqual(isDue ? trueMs - 10 * MINUTE_MS : -Infinity);
        if (asked > trueMs - 10 * MINUTE_MS) lastAskedMs = trueMs;
      }
      // All clocks are right again: a few responses later everything is as if they had never been wrong.
      clientErrorMs = 0;
      proxy.date = LIES["truth"]!;
      for (let i = 0; i < 6; i++) {
        trueMs += 6 * MINUTE_MS;
        await runJob(session, jobUpTo([id], trueMs), { signal: never });
      }
      expect(session.clockDisagreement()).toBeNull();
      const { final } = session.cache.coverage(id, "ztd", jobUpTo([id], trueMs));
      const newestMs = session.cache.station(id)!.dataLastUpdatedMs!;
      expect(includes(rangeSet(final), Math.min(newestMs, trueMs) - HOUR_MS - 7 * MINUTE_MS)).toBe(true);
      askedUntil();
      await runJob(session, jobUpTo([id], trueMs), { signal: never });
      expect(askedUntil()).toBe(-Infinity);
    }),
    { numRuns: 10 },
  );
});

it.each(["tenYearsBack", "tenYearsAhead", "epoch"])(
  "tells of a Date that is wrong (%s), and of its end",
  async (lie) => {
    const told: unknown[] = [];
    const client = clientFor(proxy.url);
    const { session } = desk.fresh({ client, onClocks: (disagreement) => told.push(disagreement) });
    const ids = desk.stations(1);
    proxy.date = LIES[lie]!;
    await runJob(session, jobUpTo(ids, trueMs), { signal: never });
    expect(session.clockDisagreement()).not.toBeNull();
    proxy.date = LIES["truth"]!;
    for (let i = 0; i < 5; i++) {
      trueMs += 6 * MINUTE_MS;
      await runJob(session, jobUpTo(ids, trueMs), { signal: never });
    }
    expect(told.at(0)).not.toBeNull();
    expect(told.at(-1)).toBeNull();
  },
);

it("requests the catalogue before it believes that a range is in the future, or that a station never sent anything", async () => {
  const ids = desk.stations(1);
  const session = open(true);
  await runJob(session, jobUpTo(ids, trueMs), { signal: never });
  trueMs += 2 * DAY_MS;
  clientErrorMs = -3 * DAY_MS;
  const later = { ...jobUpTo(ids, trueMs), range: { startMs: trueMs - HOUR_MS, endMs: trueMs } };
  askedUntil();
  const outcome = await runJob(open(false), later, { signal: never });
  expect(outcome.state).toBe("finished");
  expect(askedUntil()).toBe(trueMs);
});

it("requests data again that was fetched under a clock that ran ahead", async () => {
  const ids = desk.stations(1);
  clientErrorMs = YEARS_MS;
  proxy.date = LIES["absent"]!;
  await runJob(open(true), jobUpTo(ids, trueMs), { signal: never });
  clientErrorMs = 0;
  trueMs += 20 * MINUTE_MS;
  const session = open(true);
  session.cache.replaceCatalogue(session.cache.catalogue().stations, [], trueMs + YEARS_MS);
  askedUntil();
  await runJob(session, jobUpTo(ids, trueMs), { signal: never });
  expect(askedUntil()).toBe(trueMs);
});
