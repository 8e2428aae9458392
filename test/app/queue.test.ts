import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { Events } from "#main/app/events.ts";
import { JobQueue } from "#main/app/jobs/queue.ts";
import { Workload } from "#main/app/workload.ts";
import { openUserStore, StoreError, type UserStore } from "#main/store/index.ts";
import type { JobRecord } from "#main/store/user/types.ts";
import { JOB } from "../store/userRecords.ts";
import { KEY } from "../support/desk.ts";
import {
  connect,
  connectedWorld,
  download,
  event,
  expectPoints,
  isDownloaded,
  jobIn,
  openWorld,
  pointsAnswered,
  specFor,
  valueOf,
  type World,
} from "./window.ts";
import { itNightly } from "../support/needs.ts";

const SMALL = [{ key: KEY, name: "test", owner: "aurora", maxPoints: 2_000, maxConcurrent: 2 }];
/** Delays responses, so that a test can act while a job runs. */
const SLOW = [{ fault: { kind: "slow", delayMs: 15 }, endpoints: ["query"] }] as const;

async function pointsLeft(window: ReturnType<World["open"]>, { connectionId, spec }: Job): Promise<number> {
  return valueOf(await window.bridge.jobs.estimate({ connectionId, spec })).pointsToFetch;
}

describe("job queue", () => {
  it("finishes a job despite split requests and 429, and reports what arrives", async () => {
    const { world, window, connectionId } = await connectedWorld({
      organizations: SMALL.map((o) => ({ ...o, maxConcurrent: 1 })),
      faults: SLOW,
    });
    const spec = specFor(world, 3);
    const changes: Job[] = [];
    const changed = new Set<string>();
    window.bridge.on("jobChanged", (job) => changes.push(job));
    window.bridge.on("cacheChanged", ({ stationIds }) => stationIds?.forEach((id) => changed.add(id)));
    const started = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    const job = await jobIn(window, started.id, "finished");
    expect(job.progress).toMatchObject({ state: "finished", pointsTotal: 3 * 2 * 2880, pointsDone: 3 * 2 * 2880 });
    expect(job.progress!.splits).toBeGreaterThan(0);
    expect(world.service.stats.putOff).toBeGreaterThan(0);
    expect(job.verdictCounts).toSatisfy(isDownloaded);
    expect(changes.at(0)!.state).toBe("queued");
    expect(changes.at(-1)!.state).toBe("finished");
    expect([...changed].toSorted()).toEqual(spec.stationIds.toSorted());
    const verdicts = valueOf(await window.bridge.jobs.verdicts({ jobId: job.id }));
    expect(verdicts.every(({ state }) => ["ok", "partial", "stale"].includes(state))).toBe(true);
    expect(world.desktop.shares.at(-1)).toBeNull();
    expect(world.desktop.shares.some((share) => share !== null && share > 0 && share < 1)).toBe(true);
  });

  it("reports that a job runs as soon as it does, while the list of stations is awaited", async () => {
    const { world, window, connectionId } = await connectedWorld({
      faults: [{ fault: { kind: "slow", delayMs: 300 }, endpoints: ["stations"] }],
    });
    const waits = event(window, "jobChanged", ({ state, progress }) => state === "running" && progress === null);
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 1), keepUp: false }));
    expect((await waits).id).toBe(id);
    await jobIn(window, id, "finished");
  });

  it("notifies the desktop of the end of a long download, unless the user turned it off", async () => {
    // 20 s take 100 ms here, less than each response.
    const { world, window, connectionId } = await connectedWorld({
      faults: [{ fault: { kind: "slow", delayMs: 150 }, endpoints: ["query"] }],
    });
    const run = async (day: number) => {
      const range = { startMs: Date.UTC(2026, 8, day), endMs: Date.UTC(2026, 8, day + 1) };
      const spec = specFor(world, 1, { range });
      await download(window, connectionId, spec);
    };
    await run(1);
    expect(world.desktop.notices).toEqual([expect.stringMatching(/^Download finished: [\d,]+ rows of 1 station\.$/)]);
    valueOf(await window.bridge.settings.write({ notify: false }));
    await run(2);
    expect(world.desktop.notices.length).toBe(1);
  });

  it("pauses and resumes without requesting data twice", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW }, {}, 1);
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 4), keepUp: false }));
    await jobIn(window, id, "running", (j) => (j.progress?.pointsDone ?? 0) > 2_000);
    const paused = valueOf(await window.bridge.jobs.pause({ jobId: id }));
    expect(paused.state).toBe("paused");
    const left = await pointsLeft(window, paused);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(4 * 2 * 2880);
    // The service may still answer a request that was stopped.
    await expect.poll(() => world.service.stats.underWay).toBe(0);
    world.service.resetStats();
    const changes: Job[] = [];
    window.bridge.on("jobChanged", (job) => changes.push(job));
    valueOf(await window.bridge.jobs.resume({ jobId: id }));
    const finished = await jobIn(window, id, "finished");
    expect(finished.verdictCounts).toSatisfy(isDownloaded);
    expectPoints(pointsAnswered(world), left);
    // Figures cover the whole job, including what was done before the pause.
    const whole = 4 * 2 * 2880;
    expect(changes.map((job) => job.progress?.pointsTotal)).toEqual(changes.map(() => whole));
    expect(Math.min(...changes.map((job) => job.progress!.pointsDone))).toBeGreaterThanOrEqual(whole - left);
    expect(finished.progress!.pointsDone).toBe(whole);
    expect(finished.progress!.rows).toBeGreaterThan(paused.progress!.rows);
    expect(finished.progress!.requestsSent).toBeGreaterThan(paused.progress!.requestsSent);
  });

  it("counts from zero when a finished job is resumed after data was deleted", async () => {
    const { world, window, connectionId } = await connectedWorld();
    const spec = specFor(world, 1);
    const { id } = await download(window, connectionId, spec);
    const day = { startMs: spec.range.startMs, endMs: spec.range.startMs + 24 * HOUR_MS };
    valueOf(await window.bridge.cache.forget({ connectionId, stationIds: null, range: day }));
    valueOf(await window.bridge.jobs.resume({ jobId: id }));
    const again = await jobIn(window, id, "finished", (job) => job.progress?.pointsTotal === 2880);
    expect(again.progress).toMatchObject({ pointsDone: 2880 });
  });

  it("cancels a job, keeps received data, and resumes with the missing data", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW }, {}, 1);
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 4), keepUp: false }));
    await jobIn(window, id, "running", (j) => (j.progress?.pointsDone ?? 0) > 2_000);
    const cancelled = valueOf(await window.bridge.jobs.cancel({ jobId: id }));
    expect(cancelled.state).toBe("cancelled");
    expect(cancelled.verdictCounts!.notRequested).toBeGreaterThan(0);
    const left = await pointsLeft(window, cancelled);
    // A request of the cancelled job may still be under way.
    const { service } = world;
    await expect.poll(() => service.stats.underWay).toBe(0);
    service.resetStats();
    valueOf(await window.bridge.connections.open({ connectionId }));
    expect(valueOf(await window.bridge.jobs.list({}))).toMatchObject([{ state: "cancelled" }]);
    valueOf(await window.bridge.jobs.resume({ jobId: id }));
    await jobIn(window, id, "finished");
    expectPoints(pointsAnswered(world), left);
  });

  it("waits for an unreachable service, and resumes with exactly the missing data", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 4), keepUp: false }));
    await jobIn(window, id, "running", (j) => (j.progress?.pointsDone ?? 0) > 2_000);
    const offline = event(window, "connectivity", (c) => c.state === "offline");
    await world.service.close();
    const waiting = await jobIn(window, id, "waitingForNetwork");
    expect(waiting.reason).toMatch(/127\.0\.0\.1/);
    expect((await offline).reason).toMatch(/127\.0\.0\.1/);
    const left = await pointsLeft(window, waiting);
    const online = event(window, "connectivity", (c) => c.state === "online");
    await world.serve();
    expect((await jobIn(window, id, "finished")).verdictCounts).toSatisfy(isDownloaded);
    expectPoints(pointsAnswered(world), left);
    expect(await online).toMatchObject({ connectionId, reason: null });
  });

  it("waits for the service from the start, and resumes after a probe", async () => {
    const { world, window, connectionId } = await connectedWorld();
    await world.service.close();
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 1), keepUp: false }));
    await jobIn(window, id, "waitingForNetwork");
    expect(valueOf(await window.bridge.connections.probe({ connectionId })).state).toBe("offline");
    await world.serve();
    expect(valueOf(await window.bridge.connections.probe({ connectionId })).state).toBe("online");
    await jobIn(window, id, "finished");
  });

  it("tells of a pause that the service asked for, also after a restart, until a check is answered", async () => {
    const { world, window, connectionId } = await connectedWorld({}, {}, 1);
    world.service.setFaults([{ fault: { kind: "status", status: 429, retryAfter: "300" }, endpoints: ["stations"] }]);
    const untilMs = world.clock.wallMs() + 5 * MINUTE_MS;
    const paused = valueOf(await window.bridge.connections.probe({ connectionId }));
    expect(paused.state).toBe("online");
    expect(Math.abs(paused.pausedUntilMs! - untilMs)).toBeLessThan(30 * SECOND_MS);
    await window.app.close();
    const again = world.open();
    const opened = valueOf(await again.bridge.connections.open({ connectionId }));
    expect(Math.abs(opened.connectivity.pausedUntilMs! - untilMs)).toBeLessThan(30 * SECOND_MS);
    world.service.setFaults([]);
    expect(valueOf(await again.bridge.connections.probe({ connectionId })).pausedUntilMs).toBeNull();
  });

  itNightly(
    "waits longer than the ten minutes that would end a command",
    async () => {
      const world = await openWorld({ faults: [{ fault: { kind: "status", status: 503 } }] });
      const window = world.open();
      const input = { name: "Main", baseUrl: world.service.url, apiKey: KEY, remember: true };
      const { id: connectionId } = valueOf(await window.bridge.connections.add(input));
      valueOf(await window.bridge.connections.open({ connectionId }));
      const startMs = world.clock.wallMs();
      const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 1), keepUp: false }));
      const isOld = ({ progress }: Job): boolean => (progress?.outage?.nextTryMs ?? 0) > startMs + 15 * MINUTE_MS;
      const waiting = await jobIn(window, id, "waitingForNetwork", isOld);
      expect(waiting.progress!.outage!.sinceMs).toBeLessThan(startMs + MINUTE_MS);
      world.service.setFaults([]);
      expect((await jobIn(window, id, "finished")).verdictCounts).toSatisfy(isDownloaded);
    },
    20_000,
  );

  itNightly(
    "fails if the service responds to other requests, but answers these with errors",
    async () => {
      const { world, window, connectionId } = await connectedWorld({
        faults: [{ fault: { kind: "status", status: 500 }, endpoints: ["query"] }],
      });
      const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 1), keepUp: false }));
      const job = await jobIn(window, id, "broken");
      expect(job.reason).toMatch(/\S/);
      expect(job.verdictCounts).toEqual({ failed: 2 });
    },
    20_000,
  );

  it("waits for a key, and resumes with a valid one", async () => {
    const world = await openWorld();
    const window = world.open();
    const connectionId = await connect(world, window, "wrong-key-4711");
    const spec = specFor(world, 1);
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    expect(JSON.stringify(await jobIn(window, id, "needsKey"))).not.toContain("4711");
    const refused = await window.bridge.connections.setKey({ connectionId, apiKey: "also-wrong", remember: false });
    expect(refused).toMatchObject({ ok: false, error: { kind: "key" } });
    expect(JSON.stringify(refused)).not.toContain("also-wrong");
    const info = valueOf(await window.bridge.connections.setKey({ connectionId, apiKey: KEY, remember: false }));
    expect(info).toMatchObject({ id: connectionId, hasKey: true, keyKept: "session" });
    await jobIn(window, id, "finished");
    expect(world.secrets.size).toBe(0);
  });

  it("resumes running jobs after a restart when the connection is opened, but not paused ones", async () => {
    const { world, window: first, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
    const begin = async (spec: Job["spec"]) =>
      valueOf(await first.bridge.jobs.start({ connectionId, spec, keepUp: false })).id;
    const running = await begin(specFor(world, 4));
    const other = { range: { startMs: Date.UTC(2026, 7, 1), endMs: Date.UTC(2026, 7, 2) } };
    const paused = await begin(specFor(world, 1, other));
    valueOf(await first.bridge.jobs.pause({ jobId: paused }));
    await jobIn(first, running, "running", (j) => (j.progress?.pointsDone ?? 0) > 2_000);
    await first.app.close();
    const second = world.open();
    const states = async () =>
      new Map(valueOf(await second.bridge.jobs.list({})).map(({ id, state }) => [id, state] as const));
    expect((await states()).get(running)).toBe("queued");
    world.service.resetStats();
    valueOf(await second.bridge.connections.open({ connectionId }));
    const job = await jobIn(second, running, "finished");
    expect(job.verdictCounts).toSatisfy(isDownloaded);
    expect(job.progress).toMatchObject({ pointsTotal: 4 * 2 * 2880, pointsDone: 4 * 2 * 2880 });
    expect(pointsAnswered(world)).toBeLessThan(4 * 2 * 2880);
    expect((await states()).get(paused)).toBe("paused");
  });

  it("stops while the computer sleeps without showing a pause, and resumes afterwards", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 4), keepUp: false }));
    await jobIn(window, id, "running", (j) => (j.progress?.pointsDone ?? 0) > 2_000);
    await window.app.suspend();
    expect(valueOf(await window.bridge.jobs.list({}))).toMatchObject([{ id, state: "queued" }]);
    world.service.resetStats();
    await window.app.resume();
    await jobIn(window, id, "finished");
    expect(pointsAnswered(world)).toBeLessThan(4 * 2 * 2880);
  });

  it("keeps up: requests the newest data periodically with an end that follows the service's clock, also after a restart", async () => {
    const { world, window: first, connectionId } = await connectedWorld();
    const nowMs = world.service.now();
    const spec = specFor(world, 1, { range: { startMs: nowMs - 6 * HOUR_MS, endMs: nowMs } });
    const started = valueOf(await first.bridge.jobs.start({ connectionId, spec, keepUp: true }));
    const once = await jobIn(first, started.id, "finished");
    expect(once.nextRunMs! - once.updatedAtMs).toBeGreaterThan(299 * SECOND_MS);
    world.service.resetStats();
    const grown = await jobIn(first, started.id, "finished", (j) => j.spec.range.endMs > nowMs + 290 * SECOND_MS);
    expect(pointsAnswered(world)).toBeGreaterThan(0);
    expect(pointsAnswered(world)).toBeLessThan(3 * 120);
    await first.app.close();
    const second = world.open();
    valueOf(await second.bridge.connections.open({ connectionId }));
    await jobIn(second, started.id, "finished", (j) => j.spec.range.endMs > grown.spec.range.endMs);
    const off = valueOf(await second.bridge.jobs.setKeepUp({ jobId: started.id, keepUp: false }));
    expect(off).toMatchObject({ keepUp: false, nextRunMs: null });
  }, 20_000);

  it("runs two jobs of a connection at a time, and the others in order", async () => {
    const { world, window, connectionId } = await connectedWorld({ faults: SLOW });
    let most = 0;
    const running = new Set<string>();
    window.bridge.on("jobChanged", ({ id, state }) => {
      if (state === "running") running.add(id);
      else running.delete(id);
      most = Math.max(most, running.size);
    });
    const ids: string[] = [];
    for (let day = 1; day <= 4; day++) {
      const range = { startMs: Date.UTC(2026, 8, day), endMs: Date.UTC(2026, 8, day + 1) };
      const spec = specFor(world, 1, { range });
      ids.push(valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false })).id);
    }
    for (const id of ids) await jobIn(window, id, "finished");
    expect(most).toBe(2);
    expect(valueOf(await window.bridge.jobs.list({})).map((j) => j.id)).toEqual(ids.toReversed());
  });

  it("keeps the newest 200 downloads that have ended, and all others", async () => {
    const { world, window, connectionId } = await connectedWorld();
    const users = openUserStore(join(world.folder, "user.db"));
    const putOld = (id: string, change: Partial<JobRecord>): void =>
      users.putJob({ ...JOB, connectionId, keepUp: false, nextRunMs: null, state: "finished", id, ...change });
    const addMany = (): void => {
      for (let i = 0; i < 250; i++) putOld(`ended ${i}`, { updatedAtMs: 10 + i });
    };
    putOld("paused", { state: "paused" });
    putOld("keeps up", { keepUp: true, nextRunMs: 9e15 });
    // A refresh that broke off: its file is deleted with it.
    const file = join(world.folder, "refresh-broken.db");
    const putBroken = (): void => {
      putOld("broken", { state: "broken", updatedAtMs: 0 });
      writeFileSync(file, "");
    };
    putBroken();
    const left = (): string[] => users.jobs().map(({ id }) => id);
    const kept = ["paused", "keeps up", ...Array.from({ length: 199 }, (_, i) => `ended ${i + 51}`)];
    addMany();
    const spec = specFor(world, 1);
    const removed: string[] = [];
    window.bridge.on("jobRemoved", ({ jobId }) => removed.push(jobId));
    const started = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    await jobIn(window, started.id, "finished");
    expect(left().toSorted()).toEqual([...kept, started.id].toSorted());
    expect([removed.length, existsSync(file)]).toEqual([52, false]);
    // The command line too.
    users.deleteJobs([started.id]);
    addMany();
    putBroken();
    const connection = await window.app.connections.open(window.app.connections.find(connectionId)!);
    const run = valueOf(await window.app.jobs.run(connection, spec, { signal: new AbortController().signal }));
    expect(left().toSorted()).toEqual([...kept, run.id].toSorted());
    expect(existsSync(file)).toBe(false);
    users.close();
  });

  it("removes a connection with its running jobs, and a job alone", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
    const start = async () =>
      valueOf(await window.bridge.jobs.start({ connectionId, spec: specFor(world, 4), keepUp: false })).id;
    const alone = await start();
    await jobIn(window, alone, "running");
    expect(await window.bridge.jobs.remove({ jobId: alone })).toMatchObject({ ok: true });
    expect(await window.bridge.jobs.resume({ jobId: alone })).toMatchObject({ ok: false, error: { kind: "usage" } });
    const ids = [await start(), await start(), await start()];
    await jobIn(window, ids[0]!, "running", (j) => (j.progress?.requestsSent ?? 0) > 0);
    const removed: string[] = [];
    window.bridge.on("jobRemoved", ({ jobId }) => removed.push(jobId));
    valueOf(await window.bridge.connections.remove({ connectionId }));
    expect(removed.toSorted()).toEqual(ids.toSorted());
    expect(valueOf(await window.bridge.jobs.list({}))).toEqual([]);
    expect(valueOf(await window.bridge.connections.list({}))).toEqual([]);
  });
});

it("the queue goes on after a job whose end could not be read from user.db", async () => {
  const world = await openWorld();
  const { app, bridge } = world.open();
  const window = { app, bridge };
  const connectionId = await connect(world, window);
  await app.queue.suspend(null);
  const stored = openUserStore(join(world.folder, "user.db"));
  let fails = false;
  const users: UserStore = {
    ...stored,
    putJob(job, verdicts) {
      fails ||= job.state === "finished";
      stored.putJob(job, verdicts);
    },
    job(id) {
      if (!fails) return stored.job(id);
      fails = false;
      throw new StoreError("io", stored.path, "user.db cannot be read.");
    },
  };
  const events = new Events();
  const { clock } = world;
  const workload = new Workload(undefined, clock, () => false);
  const queue = new JobQueue({ users, events, connections: app.connections, clock, workload });
  const specs = [1, 2, 3].map((day) => {
    const range = { startMs: Date.UTC(2026, 8, day), endMs: Date.UTC(2026, 8, day + 1) };
    return specFor(world, 1, { range });
  });
  const ids = specs.map((spec) => valueOf(queue.start(connectionId, spec, false)).id);
  await expect
    .poll(() => ids.map((id) => stored.job(id)?.state), { timeout: 20_000 })
    .toEqual(ids.map(() => "finished"));
  await queue.close();
  stored.close();
});
