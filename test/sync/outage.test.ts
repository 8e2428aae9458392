import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterFailure, isOutage, NO_OUTAGE } from "#main/planner/outage.ts";
import { refreshCatalogue } from "#main/sync/catalogue.ts";
import { runJob } from "#main/sync/job.ts";
import { jobVerdicts } from "#main/sync/verdicts.ts";
import type { JobProgress } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { type Behaviour, type Misdeed, openHostile, specOf } from "./hostileService.ts";

const never = new AbortController().signal;
const PATIENCE = { jobMs: 10 * MINUTE_MS, callMs: 10 * MINUTE_MS };

const OUTAGES: readonly Misdeed[] = [{ status: 503 }, { status: 502 }, { status: 500 }, "reset", "resetInside", "cut"];

/** No request is answered in these spans of seconds, on the clock of the session. */
function away(spans: readonly (readonly [number, number])[], misdeed: Misdeed, all = true): Behaviour {
  return (asked) => {
    const isAway = spans.some(([from, to]) => asked.atMs >= from * SECOND_MS && asked.atMs < to * SECOND_MS);
    return isAway && (all || "points" in asked) ? misdeed : null;
  };
}

/** Each station failed completely, for this reason. */
function expectAllFailed(verdicts: readonly Verdict[], stationIds: readonly string[], reason: string | null): void {
  expect(verdicts.map((v) => [v.stationId, v.state, v.reason])).toEqual(stationIds.map((id) => [id, "failed", reason]));
}

describe("an outage", () => {
  it.each(OUTAGES.flatMap((misdeed, i) => [60, [1, 10, 300][i % 3]!].map((seconds) => [seconds, misdeed] as const)))(
    "of %i s ends no job, whatever it looks like: %j",
    async (seconds, misdeed) => {
      const hostile = await openHostile(4, { patience: PATIENCE });
      hostile.session.learn({ points: { source: "stated", value: 500, doubts: 0, streak: 0 }, deadline: null });
      const told: JobProgress[] = [];
      // Of the measurements alone, so that the download is running when it begins.
      hostile.behave(away([[0, seconds]], misdeed, false));
      const spec = specOf(4, 1_000);
      const outcome = await runJob(hostile.session, spec, { signal: never, onProgress: (p) => told.push(p) });
      expect(outcome).toMatchObject({ state: "finished", failures: [] });
      expect(new Set(jobVerdicts(hostile.session, spec, outcome).map((v) => v.state))).toEqual(new Set(["ok"]));
      const waited = told.flatMap((p) => p.outage ?? []);
      expect(waited.length).toBeGreaterThan(0);
      expect(new Set(waited.map((o) => o.sinceMs)).size).toBe(1);
      // One request at a time, less and less often: no storm of our own.
      const inVain = hostile.asked.filter((asked) => asked.atMs < seconds * SECOND_MS).length;
      expect(inVain).toBeLessThanOrEqual(8 + 10 + seconds / 10);
      expect(hostile.clock.monotonicMs()).toBeLessThan((1.1 * seconds + 25) * SECOND_MS);
    },
  );

  it("delays requests for the catalogue, too", async () => {
    const hostile = await openHostile(1, { patience: PATIENCE });
    hostile.behave(away([[0, 60]], { status: 503 }));
    const spec = specOf(1, 10);
    const [outcome, catalogue] = await Promise.all([
      runJob(hostile.session, spec, { signal: never }),
      refreshCatalogue(hostile.session, never),
    ]);
    expect(outcome.state).toBe("finished");
    expect(catalogue.ok).toBe(true);
  });

  it.each(OUTAGES)("delays a job whose catalogue was not fetched before it began: %j", async (misdeed) => {
    const hostile = await openHostile(3, { patience: PATIENCE });
    hostile.behave(away([[0, 90]], misdeed));
    const spec = specOf(3, 100);
    const outcome = await runJob(hostile.session, spec, { signal: never });
    expect(outcome).toMatchObject({ state: "finished", failures: [] });
    expect(new Set(jobVerdicts(hostile.session, spec, outcome).map((v) => v.state))).toEqual(new Set(["ok"]));
  });

  it("ends a job after its patience, with a sentence that states the duration, and within 160 requests", async () => {
    for (const misdeed of OUTAGES) {
      const hostile = await openHostile(3, { patience: PATIENCE });
      hostile.behave(away([[0, 1e9]], misdeed, false));
      const spec = specOf(3, 1_000);
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(outcome).toMatchObject({
        state: "broken",
        reason: expect.stringMatching(/Nothing was answered for 10 minutes, in \d+ tries\.$/),
      });
      expectAllFailed(jobVerdicts(hostile.session, spec, outcome), spec.stationIds, outcome.reason);
      expect(hostile.asked.length).toBeLessThanOrEqual(2 * 75 + 11);
      expect(hostile.clock.monotonicMs()).toBeLessThan(11 * MINUTE_MS);
      hostile.behave(() => null);
      expect((await runJob(hostile.session, spec, { signal: never })).state).toBe("finished");
    }
  });

  it.each([0, 2 * SECOND_MS])(
    "names what it kept from a job that waits %i ms for its end, and nothing that had been answered before",
    async (jobMs) => {
      for (const misdeed of OUTAGES) {
        for (const all of [false, true]) {
          const hostile = await openHostile(3, { patience: { jobMs, callMs: jobMs } });
          await runJob(hostile.session, specOf(1, 100), { signal: never });
          hostile.behave(away([[-1e9, 1e9]], misdeed, all));
          // The catalogue is too old to be believed then: it is fetched first.
          await hostile.clock.sleep(2 * MINUTE_MS, never);
          const clock = hostile.clock.monotonicMs();
          const before = hostile.asked.length;
          const outcome = await runJob(hostile.session, specOf(3, 1_000), { signal: never });
          expect(outcome.state).toBe("broken");
          const [known, ...others] = Map.groupBy(
            jobVerdicts(hostile.session, specOf(3, 1_000), outcome),
            (v) => v.stationId,
          ).values();
          expect(known!.map((v) => [v.state, v.rows, v.reason])).toEqual([
            ["ok", 100, null],
            ["failed", 0, outcome.reason],
          ]);
          expectAllFailed(others.flat(), specOf(3, 1).stationIds.slice(1), outcome.reason);
          expect(hostile.asked.length - before).toBeLessThan(30);
          expect(hostile.clock.monotonicMs() - clock).toBeLessThan(jobMs + 20 * SECOND_MS);
        }
      }
    },
  );

  it.each(OUTAGES)(
    "is not assumed if only one observation is unavailable, however short the patience: %j",
    async (misdeed) => {
      const hostile = await openHostile(2, { patience: { jobMs: 0, callMs: 0 } });
      const badMs = specOf(1, 333).range.endMs;
      hostile.behave((asked) => ("points" in asked && asked.startMs <= badMs && asked.endMs > badMs ? misdeed : null));
      const spec = specOf(2, 1_000);
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(outcome.state).toBe("finished");
      const told = jobVerdicts(hostile.session, spec, outcome).map((v) => [v.state, v.rows]);
      expect(told).toEqual(
        [0, 1].flatMap(() => [
          ["ok", 333],
          ["failed", 0],
          ["ok", 666],
        ]),
      );
    },
  );

  it("never ends a job with unlimited patience, unless the service responds with errors all the time", async () => {
    const hostile = await openHostile(1);
    hostile.behave(away([[0, 7_200]], { status: 503 }, false));
    expect((await runJob(hostile.session, specOf(1, 50), { signal: never })).state).toBe("finished");
    expect(hostile.asked.length).toBeLessThan(2 * (7_200 / 30 + 60));
    const broken = await openHostile(1);
    broken.behave(away([[0, 1e9]], { status: 500 }, false));
    expect((await runJob(broken.session, specOf(1, 50), { signal: never })).state).toBe("broken");
    expect(broken.clock.monotonicMs()).toBeLessThan(11 * MINUTE_MS);
  });

  it("delays all jobs for the time that the service requests", async () => {
    const hostile = await openHostile(4, { patience: PATIENCE });
    hostile.behave(away([[0, 100]], { status: 503, headers: { "Retry-After": "45" } }, false));
    const jobs = [0, 1].map((n) => runJob(hostile.session, specOf(4, 1_000 + n), { signal: never }));
    for (const outcome of await Promise.all(jobs)) expect(outcome.state).toBe("finished");
    const times = hostile.asked.map((asked) => Math.floor(asked.atMs / SECOND_MS)).filter((at) => at < 135);
    expect(new Set(times.map((at) => Math.floor(at / 45)))).toEqual(new Set([0, 1, 2]));
    expect(times.length).toBeLessThan(12);
  });

  it("is no longer waited for when the user stops the job, or retries now", async () => {
    const hostile = await openHostile(1, { patience: PATIENCE });
    hostile.behave(away([[0, 300]], "reset", false));
    const stop = new AbortController();
    let stoppedAtMs = 0;
    const outcome = await runJob(hostile.session, specOf(1, 50), {
      signal: stop.signal,
      onProgress({ outage }) {
        if (!outage || stop.signal.aborted) return;
        stoppedAtMs = hostile.clock.monotonicMs();
        stop.abort();
      },
    });
    expect(outcome.state).toBe("cancelled");
    expect(hostile.clock.monotonicMs()).toBe(stoppedAtMs);
    hostile.behave(() => null);
    const again = runJob(hostile.session, specOf(1, 50), { signal: never });
    hostile.session.limiter.probeNow();
    expect((await again).state).toBe("finished");
    expect(hostile.clock.monotonicMs()).toBe(stoppedAtMs);
  });

  it("loses no row, however often it occurs and whatever else is unavailable", async () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 240 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(span, { maxLength: 4 }),
        fc.constantFrom(...OUTAGES),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (spans, misdeed, stations, all) => {
          const hostile = await openHostile(stations, { patience: PATIENCE, maxConcurrency: 4 });
          hostile.session.learn({ points: { source: "stated", value: 100, doubts: 0, streak: 0 }, deadline: null });
          // Adjacent spans are one outage, and must be shorter than the patience.
          fc.pre(spans.reduce((sum, [, length]) => sum + length, 0) < 500);
          const ended = spans.map(([from, length]) => [from, from + length] as const);
          hostile.behave(away(ended, misdeed, all));
          const spec = specOf(stations, 400);
          const outcome = await runJob(hostile.session, spec, { signal: never });
          expect(outcome).toMatchObject({ state: "finished", failures: [] });
          expect(new Set(jobVerdicts(hostile.session, spec, outcome).map((v) => v.state))).toEqual(new Set(["ok"]));
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe("the wait between two probes", () => {
  it("allows at most 75 probes in ten minutes, and is at most a minute long", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (chances) => {
        let outage = NO_OUTAGE;
        let nowMs = 5_000;
        let tries = 0;
        for (; nowMs < 5_000 + 10 * MINUTE_MS; tries++) {
          outage = afterFailure(outage, nowMs, chances.next().value, null);
          expect(outage.nextTryMs - nowMs).toBeLessThanOrEqual(MINUTE_MS);
          nowMs = outage.nextTryMs;
        }
        expect(outage.sinceMs).toBe(5_000);
        expect(tries).toBeLessThanOrEqual(75);
      }),
    );
  });

  it("does not grow with requests that failed together", () => {
    let outage = NO_OUTAGE;
    for (let i = 0; i < 12; i++) outage = afterFailure(outage, 1_000 + i, 0.5, null);
    expect(isOutage(outage)).toBe(true);
    expect(outage.nextTryMs).toBeLessThan(1_600);
    expect(afterFailure(NO_OUTAGE, 0, 0, 90_000)).toMatchObject({ nextTryMs: 90_000 });
    expect(isOutage(afterFailure(NO_OUTAGE, 0, 0, 90_000))).toBe(true);
  });
});
