import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { CacheChanges } from "#main/app/cacheChanges.ts";
import { Events } from "#main/app/events.ts";
import { runOnce } from "#main/app/jobs/run.ts";
import { openClaimStore, openUserStore } from "#main/store/index.ts";
import { systemClock } from "#main/sync/clock.ts";
import { createSharedClaims } from "#main/sync/claims.ts";
import { KEY, never, NOW_MS } from "../support/desk.ts";
import { fakeClock } from "../sync/fakeClock.ts";
import { scheduleOf } from "./scheduleOf.ts";
import {
  connectedWorld,
  event,
  expectPoints,
  isDownloaded,
  jobIn,
  pointsAnswered,
  specFor,
  valueOf,
} from "./window.ts";
import { scratchFolder } from "../support/folder.ts";

const SMALL = [{ key: KEY, name: "test", owner: "aurora", maxPoints: 2_000, maxConcurrent: 8 }];
/** Delays responses, so that both processes overlap. */
const SLOW = [{ fault: { kind: "slow", delayMs: 25 }, endpoints: ["query"] }] as const;
const POINTS = 4 * 2 * 2_880;

const none = (others: readonly string[]): boolean => others.length === 0;
const CLAIM_STORE = pathToFileURL(join(import.meta.dirname, "../../src/main/store/claimStore.ts")).href;

it("changes by other processes are not looked for after the end, even if a connection was being opened", async () => {
  const clock = fakeClock();
  const changes = new CacheChanges(new Events(), clock);
  const opening = Promise.withResolvers<[]>();
  let looks = 0;
  const connections = (): Promise<[]> => {
    looks++;
    return opening.promise;
  };
  changes.follow(connections, { follow: () => () => undefined });
  changes.stop();
  opening.resolve([]);
  await clock.advance(60_000);
  expect(looks).toBe(1);
});

describe("a command line beside a window", () => {
  it("with the same data downloads only the rest or waits: nothing is downloaded twice", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
    const spec = specFor(world, 4);
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    await jobIn(window, id, "running", (j) => (j.progress?.pointsDone ?? 0) > 1_000);
    // A second application in the same folder acts as another process.
    const { app } = world.open();
    const connection = await app.connections.open(app.connections.find(connectionId)!);
    const done = valueOf(await app.jobs.run(connection, spec, { signal: never }));
    expect(done.outcome).toMatchObject({ state: "finished", forbiddenIds: [], failures: [] });
    expect((await jobIn(window, id, "finished")).verdictCounts).toSatisfy(isDownloaded);
    expectPoints(pointsAnswered(world), POINTS);
  });

  it("that is suspended lets the window wait and say so, until it ends", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL });
    const spec = specFor(world, 1);
    const claim = JSON.stringify({ cells: spec });
    const suspended = processWith(
      join(world.folder, "claims.db"),
      `store.take(${JSON.stringify(connectionId)}, ${JSON.stringify(claim)}, () => true); console.log(); setInterval(() => {}, 60_000);`,
    );
    await once(suspended.stdout, "data");
    suspended.kill("SIGSTOP");
    const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    const waiting = await jobIn(window, id, "running", (job) => job.progress?.waitsForOthers === true);
    expect(waiting.progress?.requestsSent).toBe(0);
    suspended.kill("SIGKILL");
    const ended = await jobIn(window, id, "finished");
    expect(ended.verdictCounts).toSatisfy(isDownloaded);
    expect(ended.progress?.waitsForOthers).toBe(false);
  });

  it("tells the window about rows and stations that it has stored", async () => {
    const { world, window, connectionId } = await connectedWorld();
    valueOf(await window.bridge.connections.open({ connectionId }));
    const told = new Set<string>();
    window.bridge.on("cacheChanged", ({ stationIds }) => void (stationIds === null && told.add("rows")));
    window.bridge.on("catalogueChanged", () => void told.add("stations"));
    const { app } = world.open();
    const connection = await app.connections.open(app.connections.find(connectionId)!);
    // Repeated, because only what follows the window's first look is a change.
    const store = async (): Promise<Set<string>> => {
      valueOf(await app.catalogue(connection, true, never));
      return told;
    };
    await expect.poll(store).toEqual(new Set(["rows", "stations"]));
  });

  it("tells the window about a connection and a schedule that it has added", async () => {
    const { world, window, connectionId } = await connectedWorld();
    const told = Promise.all([
      event(window, "connectionsChanged", () => true),
      event(window, "schedulesChanged", () => true),
    ]);
    const { app } = world.open();
    const names = ["b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
    // Repeated, because only what follows the window's first look is a change.
    const add = async (): Promise<boolean> => {
      const name = names.shift() ?? "z";
      valueOf(await app.connections.add(name, world.service.url, { apiKey: KEY }, never));
      valueOf(app.schedules.store.save(null, scheduleOf({ name, connectionId }), NOW_MS));
      return Promise.race([told.then(() => true), setImmediate(false)]);
    };
    await expect.poll(add, { interval: 1_000 }).toBe(true);
  });

  it("does not run a job of the window until it ends, and vice versa", async () => {
    const { world, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
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
    expect(beside.app.jobs.named(job!.id)[0]?.state).toBe("running");
    expect(valueOf(await running).outcome.state).toBe("cancelled");
    // After a kill, the next run would still count the whole job.
    expect([...keptTotals]).toEqual([POINTS]);
    // A job stopped by the user stays stopped.
    const listed = valueOf(await beside.bridge.jobs.list({}));
    expect(listed.find((j) => j.id === job!.id)?.state).toBe("cancelled");
    valueOf(await beside.bridge.jobs.resume({ jobId: job!.id }));
    await jobIn(beside, job!.id, "finished");
  });

  it("shows the counts of the whole job, and does not run a queued job that another process has ended", async () => {
    const { world, window, connectionId } = await connectedWorld({ organizations: SMALL, faults: SLOW });
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
    const rest = valueOf(await app.jobs.resume(connection, app.jobs.named(first.id)[0]!, { signal: never }));
    expect(rest.outcome.progress.pointsDone).toBeLessThan(POINTS);
    expect(rest.statistics.pointsDone).toBe(POINTS);
    const [listed] = valueOf(await window.bridge.jobs.list({}));
    expect(listed?.progress).toEqual(rest.statistics);

    const users = openUserStore(join(world.folder, "user.db"));
    try {
      const ended = users.job(first.id)!;
      const run = { signal: never, stoppedFor: null, progress: null };
      expect(await runOnce(users, connection, { ...ended, state: "queued" }, run)).toBeNull();
      expect(users.job(first.id)).toEqual(ended);
    } finally {
      users.close();
    }
  });
});

/** Runs a script in a process of its own, with the claim store at a path as `store`. */
function processWith(path: string, script: string) {
  return spawn(process.execPath, [
    "--input-type=module",
    "-e",
    `import { appendFileSync, existsSync, writeFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    const { openClaimStore } = await import(${JSON.stringify(CLAIM_STORE)});
    const store = openClaimStore(${JSON.stringify(path)});
    ${script}`,
  ]);
}

describe("the claim store", () => {
  const folder = scratchFolder();

  it("reserves cells of a connection for one process until it releases them or ends", () => {
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
    expect(a.take("x", "fourth", none)).not.toBeNull();
    a.close();
    expect(readdirSync(folder)).toEqual(["claims.db"]);
  });

  it("gives the claims of a killed process to another one at once", async () => {
    const path = join(folder, "killed.db");
    const beside = openClaimStore(path);
    const holder = processWith(
      path,
      `store.take("x", "all", () => true); store.registerUse("a.db", "it"); console.log(); setInterval(() => {}, 60_000);`,
    );
    await once(holder.stdout, "data");
    expect(beside.take("x", "all", none)).toBeNull();
    expect(beside.otherUsersOf("a.db")).toEqual([`it (process ${holder.pid})`]);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(beside.take("x", "all", none)).not.toBeNull();
    expect(beside.otherUsersOf("a.db")).toEqual([]);
    beside.close();
  });

  it("lets five processes do each piece once, but for the piece at which one of them was killed", async () => {
    const [path, done] = [join(folder, "five.db"), join(folder, "done")];
    mkdirSync(done);
    const pieces = Array.from({ length: 30 }, (_, i) => String(i));
    const work = (isKilled: boolean) =>
      processWith(
        path,
        `for (const piece of ${JSON.stringify(pieces)}) {
          const file = ${JSON.stringify(done)} + "/" + piece;
          while (!existsSync(file)) {
            const release = store.take("x", piece, (others) => !others.includes(piece));
            if (release && !existsSync(file)) {
              appendFileSync(${JSON.stringify(join(folder, "work"))}, (${isKilled} ? "killed " : "") + piece + "\\n");
              if (${isKilled}) process.kill(process.pid, "SIGKILL");
              await sleep(2);
              writeFileSync(file, "");
            }
            release?.();
            await sleep(1);
          }
        }`,
      );
    const victim = work(true);
    await once(victim, "exit");
    const ended = await Promise.all([1, 2, 3, 4].map(() => once(work(false), "exit")));
    expect(ended.map(([code]) => code as unknown)).toEqual([0, 0, 0, 0]);
    const worked = readFileSync(join(folder, "work"), "utf8").trim().split("\n");
    expect(worked.toSorted()).toEqual([...pieces, "killed 0"].toSorted());
  });

  it("ignores claims that it cannot read: damaged ones or ones of a newer version", () => {
    const found = ["{", '{"cells":{"stationIds":1}}', '{"jobId":"j","since":1}'];
    const take = (_: string, isFree: (others: readonly string[]) => boolean) => (isFree(found) ? () => {} : null);
    const claims = createSharedClaims({ take, version: () => 0 }, systemClock);
    const cells = { stationIds: ["a"], variables: ["ztd" as const], range: { startMs: 0, endMs: 1 } };
    expect(claims.claim({ ...cells, intervalSeconds: null, raw: false })).not.toBeNull();
    expect([claims.claimJob("j"), claims.claimJob("k") === null]).toEqual([null, false]);
  });

  it("is left unchanged if another process locks it or a newer version wrote it, and recreated if it is damaged", () => {
    const path = join(folder, "held.db");
    openClaimStore(path).close();
    const holder = new Database(path);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    expect(() => openClaimStore(path, 1)).toThrow(/Another program keeps the file locked/);
    holder.exec("COMMIT; PRAGMA user_version = 99; CREATE TABLE mark (id)");
    holder.close();
    expect(() => openClaimStore(path)).toThrow(/newer version/);
    const changed = new Database(path);
    expect(changed.prepare("SELECT name FROM sqlite_schema WHERE name = 'mark'").get()).toBeDefined();
    changed.exec("PRAGMA user_version = 1; DROP TABLE claim");
    changed.close();
    const created = openClaimStore(path);
    expect(created.take("x", "all", none)).not.toBeNull();
    created.close();
  });

  it("stays small after many claims beside another process", () => {
    const path = join(folder, "busy.db");
    const [a, b] = [openClaimStore(path), openClaimStore(path)];
    for (let n = 0; n < 600; n++) {
      a.take("x", "cells".repeat(100), () => true)!();
      b.take("y", "cells".repeat(100), () => true)!();
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(2_000_000);
    for (const claimStore of [a, b]) claimStore.close();
  });

  it("drops the claims of a core that died in the same process", async () => {
    const path = join(folder, "died.db");
    const core = new Worker(
      `import(${JSON.stringify(CLAIM_STORE)}).then(({ openClaimStore }) => {
        openClaimStore(${JSON.stringify(path)}).take("x", "all", () => true);
        require("node:worker_threads").parentPort.postMessage("held");
        setInterval(() => {}, 60_000);
      })`,
      { eval: true },
    );
    await once(core, "message");
    const beside = openClaimStore(path);
    expect(beside.take("x", "all", none)).toBeNull();
    await core.terminate();
    expect(beside.take("x", "all", none)).not.toBeNull();
    beside.close();
  });
});
