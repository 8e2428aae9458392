import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterFailure, isOutage, NO_OUTAGE } from "#main/planner/outage.ts";
import { refreshCatalogue } from "#main/sync/catalogue.ts";
import { runJob } from "#main/sync/job.ts";
import { seriesVerdicts } from "#main/sync/verdicts.ts";
import type { JobProgress } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { type Behaviour, type Fault, openHostile, specOf } from "./hostileService.ts";
import { gateCases, gateShare } from "../support/endurance.ts";

const never = new AbortController().signal;
const PATIENCE = { jobMs: 10 * MINUTE_MS, callMs: 10 * MINUTE_MS };

const OUTAGES: readonly Fault[] = [{ status: 503 }, { status: 502 }, { status: 500 }, "reset", "resetInside", "cut"];

/** Lets all requests in these spans of seconds fail, on the clock of the session. */
function away(spans: readonly (readonly [number, number])[], fault: Fault, all = true): Behaviour {
  return (request) => {
    const isAway = spans.some(([from, to]) => request.atMs >= from * SECOND_MS && request.atMs < to * SECOND_MS);
    return isAway && (all || "points" in request) ? fault : null;
  };
}

/** Checks that each station failed completely for this reason. */
function expectAllFailed(verdicts: readonly Verdict[], stationIds: readonly string[], reason: string | null): void {
  expect(verdicts.map((v) => [v.stationId, v.state, v.reason])).toEqual(stationIds.map((id) => [id, "failed", reason]));
}

describe("an outage", () => {
  it.each(
    gateShare(OUTAGES).flatMap((fault, i) => [60, [1, 10, 300][i % 3]!].map((seconds) => [seconds, fault] as const)),
  )("of %i s ends no job: %j", async (seconds, fault) => {
    const hostile = await openHostile(4, { patience: PATIENCE });
    hostile.session.learn({ stated: { value: 500, streak: 0 }, size: null });
    const told: JobProgress[] = [];
    // Only measurements fail, so that the download is running when the outage begins.
    hostile.behave(away([[0, seconds]], fault, false));
    const spec = specOf(4, 1_000);
    const outcome = await runJob(hostile.session, spec, { signal: never, onProgress: (p) => told.push(p) });
    expect(outcome).toMatchObject({ state: "finished", failures: [] });
    expect(new Set([...seriesVerdicts(hostile.session, spec, outcome)].flat().map((v) => v.state))).toEqual(
      new Set(["ok"]),
    );
    const waited = told.flatMap((p) => p.outage ?? []);
    expect(waited.length).toBeGreaterThan(0);
    expect(new Set(waited.map((o) => o.sinceMs)).size).toBe(1);
    // One request at a time, at growing intervals.
    const failed = hostile.requests.filter((request) => request.atMs < seconds * SECOND_MS).length;
    expect(failed).toBeLessThanOrEqual(8 + 10 + seconds / 10);
    expect(hostile.clock.monotonicMs()).toBeLessThan((1.1 * seconds + 25) * SECOND_MS);
  });

  it("delays requests for the catalogue", async () => {
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

  it.each(gateShare(OUTAGES))("delays a job whose catalogue was not fetched before: %j", async (fault) => {
    const hostile = await openHostile(3, { patience: PATIENCE });
    hostile.behave(away([[0, 90]], fault));
    const spec = specOf(3, 100);
    const outcome = await runJob(hostile.session, spec, { signal: never });
    expect(outcome).toMatchObject({ state: "finished", failures: [] });
    expect(new Set([...seriesVerdicts(hostile.session, spec, outcome)].flat().map((v) => v.state))).toEqual(
      new Set(["ok"]),
    );
  });

  it("ends a job after its patience, with a message that states the duration, within 160 requests", async () => {
    for (const fault of OUTAGES) {
      const hostile = await openHostile(3, { patience: PATIENCE });
      hostile.behave(away([[0, 1e9]], fault, false));
      const spec = specOf(3, 1_000);
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(outcome).toMatchObject({
        state: "broken",
        reason: expect.stringMatching(/Nothing was answered for 10 minutes, in \d+ tries\.$/),
      });
      expectAllFailed([...seriesVerdicts(hostile.session, spec, outcome)].flat(), spec.stationIds, outcome.reason);
      expect(hostile.requests.length).toBeLessThanOrEqual(2 * 75 + 11);
      expect(hostile.clock.monotonicMs()).toBeLessThan(11 * MINUTE_MS);
      hostile.behave(() => null);
      expect((await runJob(hostile.session, spec, { signal: never })).state).toBe("finished");
    }
  });

  it.each([0, 2 * SECOND_MS])(
    "ends a job that waits %i ms, and its data counts as failed, except what was received before",
    async (jobMs) => {
      for (const fault of OUTAGES) {
        for (const all of [false, true]) {
          const hostile = await openHostile(3, { patience: { jobMs, callMs: jobMs } });
          await runJob(hostile.session, specOf(1, 100), { signal: never });
          hostile.behave(away([[-1e9, 1e9]], fault, all));
          // The catalogue is too old then, so it is fetched first.
          await hostile.clock.sleep(2 * MINUTE_MS, never);
          const clock = hostile.clock.monotonicMs();
          const before = hostile.requests.length;
          const outcome = await runJob(hostile.session, specOf(3, 1_000), { signal: never });
          expect(outcome.state).toBe("broken");
          const [known, ...others] = Map.groupBy(
            [...seriesVerdicts(hostile.session, specOf(3, 1_000), outcome)].flat(),
            (v) => v.stationId,
          ).values();
          expect(known!.map((v) => [v.state, v.rows, v.reason])).toEqual([
            ["ok", 100, null],
            ["failed", 0, outcome.reason],
          ]);
          expectAllFailed(others.flat(), specOf(3, 1).stationIds.slice(1), outcome.reason);
          expect(hostile.requests.length - before).toBeLessThan(30);
          expect(hostile.clock.monotonicMs() - clock).toBeLessThan(jobMs + 20 * SECOND_MS);
        }
      }
    },
  );

  it.each(gateShare(OUTAGES))(
    "is not assumed if only one observation is unavailable, even without patience: %j",
    async (fault) => {
      const hostile = await openHostile(2, { patience: { jobMs: 0, callMs: 0 } });
      const badMs = specOf(1, 333).range.endMs;
      hostile.behave((request) =>
        "points" in request && request.startMs <= badMs && request.endMs > badMs ? fault : null,
      );
      const spec = specOf(2, 1_000);
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(outcome.state).toBe("finished");
      const told = [...seriesVerdicts(hostile.session, spec, outcome)].flat().map((v) => [v.state, v.rows]);
      expect(told).toEqual(
        [0, 1].flatMap(() => [
          ["ok", 333],
          ["failed", 0],
          ["ok", 666],
        ]),
      );
    },
  );

  it("ends no job with unlimited patience, unless the service responds with errors all the time", async () => {
    const hostile = await openHostile(1);
    hostile.behave(away([[0, 7_200]], { status: 503 }, false));
    expect((await runJob(hostile.session, specOf(1, 50), { signal: never })).state).toBe("finished");
    expect(hostile.requests.length).toBeLessThan(2 * (7_200 / 30 + 60));
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
    const times = hostile.requests.map((request) => Math.floor(request.atMs / SECOND_MS)).filter((at) => at < 135);
    expect(new Set(times.map((at) => Math.floor(at / 45)))).toEqual(new Set([0, 1, 2]));
    expect(times.length).toBeLessThan(12);
  });

  it("delays the jobs of a program that starts meanwhile, too", async () => {
    const hostile = await openHostile(1);
    hostile.behave(away([[0, 600]], { status: 429, headers: { "Retry-After": "600" } }, false));
    const stop = new AbortController();
    await runJob(hostile.session, specOf(1, 50), {
      signal: stop.signal,
      onProgress: ({ waitingUntilMs }) => void (waitingUntilMs !== null && stop.abort()),
    });
    const sent = hostile.requests.length;
    expect((await runJob(hostile.again(), specOf(1, 50), { signal: never })).state).toBe("finished");
    expect(hostile.requests.slice(sent).filter(({ atMs }) => atMs < 600 * SECOND_MS)).toEqual([]);
  });

  it("is no longer waited for when the user stops the job or retries", async () => {
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

  it("loses no row, at any times", async () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 240 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(span, { maxLength: 4 }),
        fc.constantFrom(...OUTAGES),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (spans, fault, stations, all) => {
          const hostile = await openHostile(stations, { patience: PATIENCE, maxConcurrency: 4 });
          hostile.session.learn({ stated: { value: 100, streak: 0 }, size: null });
          // Adjacent spans are one outage, which must be shorter than the patience.
          fc.pre(spans.reduce((sum, [, length]) => sum + length, 0) < 500);
          const ended = spans.map(([from, length]) => [from, from + length] as const);
          hostile.behave(away(ended, fault, all));
          const spec = specOf(stations, 400);
          const outcome = await runJob(hostile.session, spec, { signal: never });
          expect(outcome).toMatchObject({ state: "finished", failures: [] });
          expect(new Set([...seriesVerdicts(hostile.session, spec, outcome)].flat().map((v) => v.state))).toEqual(
            new Set(["ok"]),
          );
        },
      ),
      { numRuns: gateCases(8) },
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
