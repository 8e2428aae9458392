import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { JobSpec } from "#shared/job/job.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { refreshCatalogue } from "#main/sync/catalogue.ts";
import { runJob } from "#main/sync/job.ts";
import { seriesVerdicts } from "#main/sync/verdicts.ts";
import { type Desk, never, NOW_MS, openDesk } from "../support/desk.ts";
import { dump } from "../support/dump.ts";
import { gateCases, tries } from "../support/endurance.ts";

let desk: Desk;
afterEach(() => desk.close());

function spec(stationIds: string[], change: Partial<JobSpec> = {}): JobSpec {
  return {
    stationIds,
    variables: ["ztd", "ztd_sigma", "pwv"],
    range: { startMs: Date.UTC(2026, 8, 3), endMs: Date.UTC(2026, 8, 4) },
    intervalSeconds: null,
    raw: false,
    ...change,
  };
}

function measurements(d: Desk) {
  return d.service.stats.log.filter((r) => r.endpoint === "query");
}

/** The rows of one unlimited query, for comparison. */
async function unlimited(d: Desk, job: JobSpec): Promise<unknown> {
  d.service.setFaults([]);
  d.service.setOrganization("test", { maxPoints: null, maxConcurrent: 64 });
  const { cache, session } = d.fresh();
  const outcome = await runJob(session, job, { signal: never });
  expect(outcome.state).toBe("finished");
  expect(outcome.progress.splits).toBe(0);
  return dump(cache, job);
}

describe("fetch", () => {
  it("equals one unlimited query for any limit, interval, range and interruptions", async () => {
    desk = await openDesk({ maxConcurrent: 64 });
    const ids = desk.stations(3);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          stations: fc.integer({ min: 1, max: 3 }),
          startMs: fc.integer({ min: 0, max: 3 * 24 * 3600 }).map((s) => Date.UTC(2026, 8, 1) + s * 1000),
          seconds: fc.integer({ min: 1, max: 12 * 3600 }),
          intervalSeconds: fc.constantFrom(null, 30, 900, 3600, 7000),
          raw: fc.boolean(),
          maxPoints: fc.integer({ min: 200, max: 5_000 }),
          stopAfter: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
        }),
        async (c) => {
          const job = spec(ids.slice(0, c.stations), {
            range: { startMs: c.startMs, endMs: c.startMs + c.seconds * 1000 },
            intervalSeconds: c.intervalSeconds,
            raw: c.raw,
          });
          desk.service.setOrganization("test", { maxPoints: c.maxPoints, maxConcurrent: 64 });
          const { cache, session } = desk.fresh();
          for (const requests of c.stopAfter) {
            const stop = new AbortController();
            await runJob(session, job, {
              signal: stop.signal,
              onProgress: (p) => p.requestsSent > requests && stop.abort(),
            });
          }
          const outcome = await runJob(session, job, { signal: never });
          expect(outcome.state).toBe("finished");
          expect(dump(cache, job)).toEqual(await unlimited(desk, job));
        },
      ),
      { numRuns: tries(gateCases(16), 100) },
    );
  });

  it("sends no request for final data, not even for the catalogue", async () => {
    desk = await openDesk();
    const job = spec(desk.stations(4));
    await runJob(desk.session, job, { signal: never });
    desk.service.resetStats();
    const again = await runJob(desk.session, job, { signal: never });
    expect(again.state).toBe("finished");
    expect(again.progress.pointsTotal).toBe(0);
    expect(desk.service.stats.requests).toBe(0);
  });

  it("requests only what a wider range adds", async () => {
    desk = await openDesk();
    const job = spec(desk.stations(2));
    await runJob(desk.session, job, { signal: never });
    desk.service.resetStats();
    const wider = { ...job, range: { startMs: job.range.startMs - 6 * HOUR_MS, endMs: job.range.endMs + HOUR_MS } };
    await runJob(desk.session, wider, { signal: never });
    const points = measurements(desk).reduce((n, r) => n + r.points!, 0);
    expect([points >= 2 * 7 * 120, points < 2 * 8 * 120]).toEqual([true, true]);
  });

  // Its other forms are those of test/client/limit.test.ts.
  it.each(["commas", "absent"] as const)(
    "learns the limit from a 413 (%s) and remembers it after a restart",
    async (limitStyle) => {
      desk = await openDesk({ maxPoints: 3_000, limitStyle });
      const job = spec(desk.stations(3));
      const outcome = await runJob(desk.session, job, { signal: never });
      expect(outcome.state).toBe("finished");
      const refused = measurements(desk).filter((r) => r.status === 413).length;
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThan(limitStyle === "absent" ? 40 : 8);
      desk.service.resetStats();
      const next = { ...job, range: { startMs: job.range.endMs, endMs: job.range.endMs + 86_400_000 } };
      await runJob(desk.reopen().session, next, { signal: never });
      expect(measurements(desk).filter((r) => r.status === 413).length).toBeLessThan(limitStyle === "absent" ? 4 : 1);
    },
  );

  it("isolates a station that the service refuses, and downloads the rest", async () => {
    desk = await openDesk();
    const ids = desk.stations(9);
    const job = spec(ids);
    // The catalogue is fetched before the permission ends, as in a running program.
    await runJob(desk.session, spec(ids, { range: { startMs: 0, endMs: 1 } }), { signal: never });
    await refreshCatalogue(desk.session, never);
    desk.service.setOrganization("test", { withheldStationIds: [ids[4]!] });
    const outcome = await runJob(desk.session, job, { signal: never });
    expect(outcome.state).toBe("finished");
    expect(outcome.forbiddenIds).toEqual([ids[4]]);
    const states = [...seriesVerdicts(desk.session, job, outcome)].flat();
    for (const id of ids) {
      const own = new Set(states.filter((v) => v.stationId === id).map((v) => v.state));
      own.delete("stale");
      expect(own).toEqual(new Set([id === ids[4] ? "forbidden" : "ok"]));
    }
  });

  it("fetches the catalogue again if it lacks a station, at any age, and only once", async () => {
    desk = await openDesk();
    const ids = desk.stations(3);
    const listings = (): number => desk.service.stats.log.filter((r) => r.endpoint === "stations").length;
    desk.service.setOrganization("test", { withheldStationIds: [ids[1]!] });
    desk.service.resetStats();
    await refreshCatalogue(desk.session, never);
    const once = listings();
    const refused = await runJob(desk.session, spec(ids), { signal: never });
    expect(refused.forbiddenIds).toEqual([ids[1]]);
    const reasons = [...seriesVerdicts(desk.session, spec(ids), refused)].flat().filter((v) => v.stationId === ids[1]);
    expect(reasons).toContainEqual(expect.objectContaining({ reason: expect.stringContaining("does not list") }));
    expect(listings()).toBe(2 * once);
    // The clock of this service does not advance, so the catalogue has no age.
    desk.service.setOrganization("test", { withheldStationIds: [] });
    const allowed = await runJob(desk.session, spec(ids), { signal: never });
    expect(allowed).toMatchObject({ state: "finished", forbiddenIds: [] });
    expect(allowed.progress.pointsTotal).toBeGreaterThan(0);
  });

  it("fetches heights above the geoid and networks once a day, and when a station or its height is new", async () => {
    let nowMs = NOW_MS;
    desk = await openDesk({ now: () => nowMs });
    const [first, second] = desk.service.world.stations;
    desk.service.setOrganization("test", { withheldStationIds: [first!.id] });
    const requests = async (): Promise<number> => {
      desk.service.resetStats();
      await refreshCatalogue(desk.session, never, undefined, true);
      const sent = desk.service.stats.log.length;
      const other = desk.fresh();
      await refreshCatalogue(other.session, never);
      const { fetchedAtMs: _, ...whole } = other.cache.catalogue();
      expect(desk.session.cache.catalogue()).toMatchObject(whole);
      return sent;
    };
    const all = await requests();
    expect([all, await requests()]).toEqual([3, 1]);
    desk.service.setOrganization("test", { withheldStationIds: [] });
    expect([await requests(), await requests()]).toEqual([all, 1]);
    Object.assign(second!, { ellipsoidalHeight: second!.ellipsoidalHeight + 1 });
    expect([await requests(), await requests()]).toEqual([all, 1]);
    nowMs += 86_400_000;
    expect([await requests(), await requests()]).toEqual([all, 1]);
  });

  it("keeps the catalogue if the service suddenly lists no station", async () => {
    desk = await openDesk();
    await refreshCatalogue(desk.session, never);
    const before = desk.session.cache.catalogue();
    const ids = desk.service.world.stations.map((station) => station.id);
    desk.service.setOrganization("test", { withheldStationIds: ids });
    const answer = await refreshCatalogue(desk.session, never);
    expect(answer).toMatchObject({ ok: true, value: { remark: expect.stringContaining("the earlier list is kept") } });
    expect(desk.session.cache.catalogue()).toEqual(before);
    // A shorter list is believed.
    desk.service.setOrganization("test", { withheldStationIds: ids.slice(1) });
    expect(await refreshCatalogue(desk.session, never)).toMatchObject({ ok: true, value: { remark: null } });
    expect(desk.session.cache.catalogue().stations.map((station) => station.id)).toEqual([ids[0]]);
  });

  it("has no wrong row after many 503, 500, resets and truncated bodies", async () => {
    desk = await openDesk({ maxPoints: 4_000, session: { random: () => 0 } });
    const job = spec(desk.stations(3));
    const endpoints = ["query"] as const;
    desk.service.setFaults([
      { fault: { kind: "status", status: 503 }, endpoints, probability: 0.1 },
      { fault: { kind: "status", status: 500 }, endpoints, probability: 0.05 },
      { fault: { kind: "resetBefore" }, endpoints, probability: 0.05 },
      { fault: { kind: "resetInside", afterBytes: 20_000 }, endpoints, probability: 0.05 },
      { fault: { kind: "truncated", how: "json", afterBytes: 30_000 }, endpoints, probability: 0.05 },
      { fault: { kind: "truncated", how: "chunked", afterBytes: 30_000 }, endpoints, probability: 0.05 },
    ]);
    let outcome = await runJob(desk.session, job, { signal: never });
    for (let i = 0; i < 20 && outcome.failures.length > 0; i++)
      outcome = await runJob(desk.session, job, { signal: never });
    expect(outcome.failures).toEqual([]);
    expect(dump(desk.cache, job)).toEqual(await unlimited(desk, job));
  });

  it("reduces its concurrency after a 429", async () => {
    desk = await openDesk({ maxPoints: 3_000, maxConcurrent: 2, retryAfterSeconds: 0 });
    const outcome = await runJob(desk.session, spec(desk.stations(4)), { signal: never });
    expect(outcome.state).toBe("finished");
    expect(outcome.failures).toEqual([]);
    const sent = measurements(desk);
    const putOff = sent.filter((r) => r.status === 429).length;
    expect(putOff).toBeLessThan(sent.length / 3);
  });

  it("downloads common data of two jobs only once, also when one of them is cancelled", async () => {
    desk = await openDesk({ maxPoints: 500, maxConcurrent: 64 });
    const ids = desk.stations(2);
    const job = spec(ids);
    const shifted = spec(ids, {
      range: { startMs: job.range.startMs + 86_400_000, endMs: job.range.endMs + 86_400_000 },
    });
    const stop = new AbortController();
    const first = runJob(desk.session, job, {
      signal: stop.signal,
      onProgress: (p) => p.pointsDone > 4_000 && stop.abort(),
    });
    const second = runJob(desk.session, shifted, { signal: never });
    const [one, two] = await Promise.all([first, second]);
    expect(one.state).toBe("cancelled");
    expect(two.state).toBe("finished");
    const third = await runJob(desk.session, job, { signal: never });
    expect(third.state).toBe("finished");
    const rows = measurements(desk).filter((r) => r.status === 200 && !r.isAborted);
    const seen = new Map<string, number>();
    for (const r of rows) {
      for (const id of r.query!.stationIds) {
        for (let t = r.query!.startMs; t < r.query!.endMs; t += 30_000) {
          seen.set(`${id} ${t}`, (seen.get(`${id} ${t}`) ?? 0) + 1);
        }
      }
    }
    // The request that the cancellation interrupted may have been sent twice; all others once.
    const twice = [...seen.values()].filter((n) => n > 1).length;
    expect(twice).toBeLessThanOrEqual(8 * 500);
    expect(dump(desk.cache, job)).toEqual(await unlimited(desk, job));
  });

  it("sends every request of two simultaneous jobs for the same data only once", async () => {
    desk = await openDesk({ maxPoints: 500, maxConcurrent: 64 });
    const job = spec(desk.stations(2));
    await runJob(
      desk.session,
      { ...job, range: { startMs: job.range.endMs, endMs: job.range.endMs + HOUR_MS } },
      { signal: never },
    );
    desk.service.resetStats();
    const both = await Promise.all([1, 2].map(() => runJob(desk.session, job, { signal: never })));
    expect(both.map((o) => o.state)).toEqual(["finished", "finished"]);
    const points = measurements(desk).reduce((n, r) => n + (r.status === 200 ? r.points! : 0), 0);
    // What the responses have not got is asked about once more.
    expect(points).toBeLessThan(2 * 3 * 2_880 * 1.05);
  });

  it("requests the time after the newest measurement again when it has aged, and nothing that is there", async () => {
    desk = await openDesk({ session: { provisionalAgeMs: 60_000 } });
    const [id] = desk.stations(1);
    const job = spec([id!], { range: { startMs: NOW_MS - 6 * HOUR_MS, endMs: NOW_MS + HOUR_MS } });
    const first = await runJob(desk.session, job, { signal: never });
    const states = [...seriesVerdicts(desk.session, job, first)].flat().filter((v) => v.variable === "ztd");
    expect(new Set(states.map((v) => v.state))).toEqual(new Set(["ok", "stale"]));
    const coverage = desk.cache.coverage(id!, "ztd", job);
    desk.service.resetStats();
    await runJob(desk.session, job, { signal: never });
    expect(measurements(desk)).toHaveLength(0);
    desk.service.advanceClock(2 * HOUR_MS);
    const later = desk.reopen({ clock: { ...desk.session.clock, wallMs: () => Date.now() + 2 * HOUR_MS } });
    await runJob(later.session, job, { signal: never });
    const points = measurements(desk).reduce((n, r) => n + r.points!, 0);
    expect(points).toBeLessThan(6 * 120);
    const after = later.cache.coverage(id!, "ztd", job);
    expect(after.final.at(-1)!.endMs).toBeGreaterThan(coverage.final.at(-1)!.endMs);
  });

  it("stops and waits for a key when the service refuses the current one", async () => {
    desk = await openDesk();
    const ids = desk.stations(2);
    desk.service.setOrganizations([{ key: "another", name: "other" }]);
    const outcome = await runJob(desk.session, spec(ids), { signal: never });
    expect(outcome.state).toBe("needsKey");
    expect(outcome.reason).toMatch(/key/i);
  });

  it("sends no request for a station without any data, and names it", async () => {
    desk = await openDesk();
    const silent = desk.service.world.stations.find((s) => s.firstDataMs === null)!;
    const job = spec([silent.id]);
    const outcome = await runJob(desk.session, job, { signal: never });
    expect(measurements(desk)).toHaveLength(0);
    const states = [...seriesVerdicts(desk.session, job, outcome)].flat();
    expect(new Set(states.map((v) => v.state))).toEqual(new Set(["empty"]));
    expect(states[0]!.reason).toMatch(/never sent/);
  });

  it("counts foreign rows, and requests again if a response may lack rows", async () => {
    desk = await openDesk();
    const job = spec(desk.stations(2));
    const rules = ["outOfRange", "foreignStation", "duplicated", "unsorted"] as const;
    desk.service.setFaults(rules.map((kind) => ({ fault: { kind }, endpoints: ["query"] as const })));
    const outcome = await runJob(desk.session, job, { signal: never });
    const { outOfRange, foreignStation, conflict, unsorted } = outcome.progress.irregularities;
    for (const count of [outOfRange, foreignStation, unsorted]) expect(count).toBeGreaterThan(0);
    // Identical copies are not reported.
    expect(conflict).toBeUndefined();
    expect(dump(desk.cache, job)).toEqual(await unlimited(desk, job));

    // A response that counts more rows than it has may lack some, so it is requested again.
    const lossy = desk.fresh();
    desk.service.setFaults([{ fault: { kind: "wrongCount", by: 1 }, endpoints: ["query"], next: 1 }]);
    desk.service.resetStats();
    const doubtful = await runJob(lossy.session, job, { signal: never });
    expect(doubtful.progress.irregularities.countDisagrees).toBe(1);
    expect(measurements(desk).length).toBeGreaterThan(1);
    expect(doubtful.failures).toEqual([]);
    expect(dump(lossy.cache, job)).toEqual(await unlimited(desk, job));
  });

  it("determines finality by the service's clock, for any clock of this computer", async () => {
    desk = await openDesk();
    const [id] = desk.stations(1);
    const job = spec([id!], { range: { startMs: NOW_MS - 12 * HOUR_MS, endMs: NOW_MS } });
    const finals = [];
    for (const offMs of [-24 * HOUR_MS, 0, 24 * HOUR_MS]) {
      const clock = { ...desk.session.clock, wallMs: () => NOW_MS + offMs };
      const { cache, session } = desk.fresh({ clock });
      await runJob(session, job, { signal: never });
      finals.push(cache.coverage(id!, "ztd", job).final);
    }
    expect(finals[0]!.at(-1)!.endMs).toBeGreaterThan(NOW_MS - 2 * HOUR_MS);
    expect(finals[1]).toEqual(finals[0]);
    expect(finals[2]).toEqual(finals[0]);
  });

  it("makes smaller requests after a 408, and remembers their size", async () => {
    // At this speed the service has processed 2,000 points at its deadline.
    desk = await openDesk({ maxPoints: null, pointsPerSecond: 1_000 });
    desk.service.setOrganization("test", { deadlineMs: 2_000 });
    const job = spec(desk.stations(2));
    const outcome = await runJob(desk.session, job, { signal: never });
    expect(outcome).toMatchObject({ state: "finished", failures: [] });
    const late = () => measurements(desk).filter((r) => r.status === 408).length;
    expect(late()).toBeGreaterThan(0);
    expect(late()).toBeLessThan(12);
    desk.service.resetStats();
    const next = { ...job, range: { startMs: job.range.endMs, endMs: job.range.endMs + 86_400_000 } };
    await runJob(desk.reopen().session, next, { signal: never });
    expect(late()).toBeLessThan(2);
    desk.service.configure({ pointsPerSecond: null });
    expect(dump(desk.cache, job)).toEqual(await unlimited(desk, job));
  });

  it("stops splitting when even the smallest requests are rejected, and names the unavailable data", async () => {
    desk = await openDesk({ maxPoints: 0 });
    const ids = desk.stations(2);
    const job = spec(ids, { range: { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 2) } });
    const outcome = await runJob(desk.session, job, { signal: never });
    expect(outcome.state).toBe("finished");
    // Instead of 5,760 requests of single epochs.
    expect(measurements(desk).length).toBeLessThan(300);
    expect(new Set(outcome.failures.map((f) => f.stationId))).toEqual(new Set(ids));
    const states = [...seriesVerdicts(desk.session, job, outcome)].flat();
    expect(new Set(states.map((v) => v.state))).toEqual(new Set(["failed"]));
    expect(states[0]!.reason).toMatch(/limit|large/i);
  });
});
