import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { runOnce } from "#main/app/jobs/run.ts";
import { openClaimStore, openUserStore } from "#main/store/index.ts";
import { systemClock } from "#main/sync/clock.ts";
import { createSharedClaims } from "#main/sync/sharedClaims.ts";
import { KEY, never } from "../support/desk.ts";
import { connect, jobIn, openWorld, pointsAnswered, specFor, valueOf, type World } from "./window.ts";

const SMALL = [{ key: KEY, name: "test", owner: "aurora", maxPoints: 2_000, maxConcurrent: 8 }];
/** Holds answers back, so that both meet in the middle. */
const SLOW = [{ fault: { kind: "slow", delayMs: 25 }, endpoints: ["query"] }] as const;
const POINTS = 4 * 2 * 2_880;

let world: World;
const none = (others: readonly string[]): boolean => others.length === 0;

describe("a command line beside a window", () => {
  afterEach(() => world.close());

  it("that wants the same takes what is left, or waits for it: nothing is downloaded twice", async () => {
    world = await openWorld({ organizations: SMALL, faults: SLOW });
    const window = world.open();
    const connectionId = await connect(world, window);
    const spec = specFor(world, 4);
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    await jobIn(window, id, "running", (j) => (j.progress?.pointsDone ?? 0) > 1_000);
    // Another process as far as the files tell: an application of its own over the same folder.
    const { app } = world.open();
    const connection = await app.connections.open(app.connections.find(connectionId)!);
    const done = valueOf(await app.jobs.run(connection, spec, { signal: never }));
    expect(done.outcome).toMatchObject({ state: "finished", forbiddenIds: [], failures: [] });
    expect((await jobIn(window, id, "finished")).verdictCounts).toEqual({ ok: 8 });
    expect(pointsAnswered(world)).toBe(POINTS);
  });

  it("does not run a job that the window runs, nor the window one of the command line, until that one ends", async () => {
    world = await openWorld({ organizations: SMALL, faults: SLOW });
    const window = world.open();
    const connectionId = await connect(world, window);
    const { app } = world.open();
    const connection = await app.connections.open(app.connections.find(connectionId)!);
    const stop = new AbortController();
    const keptTotals = new Set<number | undefined>();
    const running = app.jobs.run(connection, specFor(world, 4), {
      signal: stop.signal,
      onProgress({ pointsDone }) {
        if (pointsDone <= 4_000) return;
        keptTotals.add(app.jobs.list(connectionId)[0]?.counters?.pointsTotal);
        stop.abort();
      },
    });
    const [job] = app.jobs.list(connectionId);
    const beside = world.open();
    valueOf(await beside.bridge.connections.open({ connectionId }));
    const other = await beside.app.connections.open(beside.app.connections.find(connectionId)!);
    const refused = await beside.app.jobs.resume(other, job!, { signal: never });
    expect(refused).toMatchObject({
      ok: false,
      error: { kind: "usage", message: expect.stringContaining("running right now, in a window") as string },
    });
    expect(beside.app.jobs.find(job!.id)?.state).toBe("running");
    expect(valueOf(await running).outcome.state).toBe("cancelled");
    // Had it been killed, the next run would still count the whole job.
    expect([...keptTotals]).toEqual([POINTS]);
    // What was stopped on purpose stays stopped.
    const listed = valueOf(await beside.bridge.jobs.list({}));
    expect(listed.find((j) => j.id === job!.id)?.state).toBe("cancelled");
    valueOf(await beside.bridge.jobs.resume({ jobId: job!.id }));
    await jobIn(beside, job!.id, "finished");
  });

  it("shows the figures of the whole job, and runs none that the other has ended since it was queued", async () => {
    world = await openWorld({ organizations: SMALL, faults: SLOW });
    const window = world.open();
    const connectionId = await connect(world, window);
    const { app } = world.open();
    const connection = await app.connections.open(app.connections.find(connectionId)!);
    const stop = new AbortController();
    const first = valueOf(
      await app.jobs.run(connection, specFor(world, 4), {
        signal: stop.signal,
        onProgress: ({ pointsDone }) => pointsDone > 4_000 && stop.abort(),
      }),
    );
    expect(first.outcome.state).toBe("cancelled");
    const rest = valueOf(await app.jobs.resume(connection, app.jobs.find(first.id)!, { signal: never }));
    expect(rest.outcome.progress.pointsDone).toBeLessThan(POINTS);
    expect(rest.statistics.pointsDone).toBe(POINTS);
    const [listed] = valueOf(await window.bridge.jobs.list({}));
    expect(listed?.progress).toEqual(rest.statistics);

    const users = openUserStore(join(world.folder, "user.db"));
    try {
      const ended = users.job(first.id)!;
      const run = { signal: never, stoppedFor: null, progress: null };
      expect(await runOnce(users, connection, { ...ended, state: "queued" }, run, () => {})).toBeNull();
      expect(users.job(first.id)).toEqual(ended);
    } finally {
      users.close();
    }
  });
});

describe("the board of claims", () => {
  const folder = mkdtempSync(join(tmpdir(), "zenith-claims-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps what one process has taken from the others, by connection, until it is given back or its holder is gone", () => {
    const path = join(folder, "claims.db");
    writeFileSync(path, "not a database at all");
    const [a, b] = [openClaimStore(path), openClaimStore(path)];
    const version = b.version();
    const release = a.take("x", "first", none);
    expect(release).not.toBeNull();
    expect(b.version()).not.toBe(version);
    expect(b.take("x", "second", none)).toBeNull();
    expect(b.take("x", "second", (others) => others.join() === "first")).not.toBeNull();
    expect(b.take("y", "third", none)).not.toBeNull();
    release!();
    b.close();
    const again = a.take("x", "fourth", none);
    expect(again).not.toBeNull();
    a.close();
    // What a process held that was killed holds nobody up.
    const module = pathToFileURL(join(import.meta.dirname, "../../src/main/store/locks/claimStore.ts")).href;
    const killed = `const { openClaimStore } = await import(${JSON.stringify(module)});
      openClaimStore(${JSON.stringify(path)}).take("x", "fifth", () => true);
      process.kill(process.pid, "SIGKILL");`;
    expect(spawnSync(process.execPath, ["--input-type=module", "-e", killed]).signal).toBe("SIGKILL");
    const c = openClaimStore(path);
    const seen: string[] = [];
    expect(c.take("x", "sixth", (others) => seen.push(...others) === 0)).not.toBeNull();
    expect(seen).toEqual([]);
    c.close();
  });

  it("lets nothing stop a download that it cannot read: a claim of a newer version, or a damaged one", () => {
    const found = ["{", '{"cells":{"stationIds":1}}', '{"jobId":"j","since":1}'];
    const take = (_: string, isFree: (others: readonly string[]) => boolean) => (isFree(found) ? () => {} : null);
    const claims = createSharedClaims({ take, version: () => 0 }, systemClock);
    const cells = { stationIds: ["a"], variables: ["ztd" as const], range: { startMs: 0, endMs: 1 } };
    expect(claims.claim({ ...cells, intervalSeconds: null, raw: false })).not.toBeNull();
    expect([claims.claimJob("j"), claims.claimJob("k") === null]).toEqual([null, false]);
  });

  it("is left as it is where another process holds the file, or a newer version wrote it, and created anew where it is damaged", () => {
    const path = join(folder, "held.db");
    openClaimStore(path).close();
    const holder = new Database(path);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    expect(() => openClaimStore(path, false, 1)).toThrow(/Another program keeps the file locked/);
    holder.exec("COMMIT; PRAGMA user_version = 99; CREATE TABLE mark (id)");
    holder.close();
    expect(() => openClaimStore(path)).toThrow(/newer version/);
    const changed = new Database(path);
    expect(changed.prepare("SELECT name FROM sqlite_schema WHERE name = 'mark'").get()).toBeDefined();
    changed.exec("PRAGMA user_version = 2; DROP TABLE claim");
    changed.close();
    const created = openClaimStore(path);
    expect(created.take("x", "all", none)).not.toBeNull();
    created.close();
  });

  it("stays small, however often something is taken and given back beside another process", () => {
    const path = join(folder, "busy.db");
    const [a, b] = [openClaimStore(path), openClaimStore(path)];
    for (let n = 0; n < 600; n++) {
      a.take("x", "cells".repeat(100), () => true)!();
      b.take("y", "cells".repeat(100), () => true)!();
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(2_000_000);
    for (const board of [a, b]) board.close();
  });

  it("ends at once with a core that died where the next one has its process for itself", () => {
    const path = join(folder, "died.db");
    const died = openClaimStore(path);
    expect(died.take("x", "all", none)).not.toBeNull();
    const beside = openClaimStore(path);
    expect(beside.take("x", "all", none)).toBeNull();
    const next = openClaimStore(path, true);
    expect(next.take("x", "all", none)).not.toBeNull();
    for (const board of [died, beside, next]) board.close();
  });
});
