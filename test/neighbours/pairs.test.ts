import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "#main/app.ts";
import { createFileSecrets } from "#main/secrets/fileSecrets.ts";
import { type RunningService, startService } from "#service/index.ts";
import { type Home, makeHome, SCRIPT } from "../cli/program.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { type HeldService, holdable } from "./heldService.ts";

// Real programs over one data folder. Each pair meets while one of them stands still at a known point of its work.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const DAY = ["--day", "2026-10-05"];
const STATION = "Torsvika";
/** What moves, deletes, replaces or thins out a cache. */
const CARE = [
  ["cache", "move", "elsewhere/cache.db"],
  ["cache", "forget", "--all"],
  ["cache", "compact"],
  ["connect", "--remove", "main"],
] as const;

/** All of them take a minute on a busy machine: without it, the first of each kind. */
const IS_WHOLE = IS_ENDURANCE;
const share = <T>(all: readonly T[]): readonly T[] => (IS_WHOLE ? all : all.slice(0, 1));

let service: RunningService;
let held: HeldService;
let home: Home;
/** Of a fetch that nobody disturbs. */
let rows = 0;
let running: ChildProcess | null = null;

beforeAll(async () => {
  service = await startService();
  held = await holdable(service.url);
  await connected();
  await home.run(["fetch", STATION, ...DAY]);
  ({ rows } = await cacheNow());
  if (rows === 0) throw new Error("nothing came of a fetch that nobody disturbed");
  home.remove();
});
afterAll(async () => {
  held.close();
  await service.close();
});

async function connected(): Promise<void> {
  home = makeHome();
  const env = { ZENITH_API_KEY: "demo-key" };
  expect(await home.run(["connect", held.url, "--name", "main"], { env })).toMatchObject({ code: 0 });
}

afterEach(() => {
  held.hold(() => false);
  running?.kill("SIGKILL");
  running = null;
  home.remove();
});

/** A fetch that stands still before the first request that fits; `ended` tells how it went on. */
async function fetchUpTo(fits: (path: string) => boolean) {
  const release = held.hold(fits);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", SCRIPT, "fetch", STATION, ...DAY], {
    cwd: home.folder,
    env: { ...process.env, ZENITH_API_KEY: "", ZENITH_HOME: join(home.folder, "home") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running = child;
  const said = text(child.stderr);
  const code = once(child, "exit");
  await held.waiting();
  return {
    child,
    async ended() {
      release();
      return { code: ((await code) as [number])[0], stderr: await said };
    },
  };
}

const beforeItsFirstWrite = (path: string): boolean => path.includes("/stations");
const beforeItsRows = (path: string): boolean => !path.includes("/stations") && !path.includes("/networks");

async function cacheNow(): Promise<{ path: string; rows: number }> {
  return home.json<{ path: string; rows: number }>(["cache"]);
}

describe("beside a fetch", () => {
  it.each(
    share([
      ["that has opened the cache and not written to it", beforeItsFirstWrite],
      ["that waits for its rows", beforeItsRows],
    ] as const),
  )("%s, the cache is not moved, deleted or thinned out, and the fetch keeps every row", async (_, point) => {
    await connected();
    const fetch = await fetchUpTo(point);
    const refused = await Promise.all(CARE.map((words) => home.run(words)));
    for (const { code, stderr } of refused) {
      expect(code).toBe(6);
      // Those that are refused may see one another, too.
      expect(stderr.toLowerCase()).toContain(`the command line (process ${fetch.child.pid})`);
      expect(stderr).toMatch(/using this file\. To .+, close it there or wait for its end, then try again/);
    }
    expect(await fetch.ended()).toMatchObject({ code: 0 });
    expect((await cacheNow()).rows).toBe(rows);
  });

  it("that was killed, all of it goes at once: no lock outlives its process", async () => {
    await connected();
    const fetch = await fetchUpTo(beforeItsRows);
    fetch.child.kill("SIGKILL");
    await once(fetch.child, "exit");
    await fetch.ended();
    for (const words of IS_WHOLE ? CARE : CARE.slice(-1)) expect(await home.run(words)).toMatchObject({ code: 0 });
    expect((await home.json<{ connections: unknown[] }>(["connect"])).connections).toEqual([]);
  });
});

describe("a window and the command line", () => {
  const desktop = {
    capabilities: {
      shell: "test",
      fileDialogs: false,
      openFiles: "none",
      downloads: false,
      showInFolder: false,
      openExternal: false,
      notifications: false,
      nativeMenus: false,
      newWindow: false,
    },
    components: [],
  } as const;
  const windowCore = () =>
    createApp({
      dataFolder: join(home.folder, "home"),
      secrets: createFileSecrets(join(home.folder, "home", "keys")),
      startDemo: () => Promise.reject(new Error("none")),
      desktop,
    });

  it("beside a window that shows the cache, the command line does none of it, and fetches as always", async () => {
    await connected();
    const app = windowCore();
    try {
      const { cache } = await app.connections.open(app.connections.find("main")!);
      for (const { code, stderr } of await Promise.all(CARE.map((words) => home.run(words)))) {
        expect(code).toBe(6);
        expect(stderr.toLowerCase()).toContain(`a window of zenith desk (process ${process.pid})`);
      }
      expect(await home.run(["fetch", STATION, ...DAY])).toMatchObject({ code: 0 });
      expect(cache.statistics().rows).toBe(rows);
    } finally {
      await app.close();
    }
  });

  it("beside a fetch, a window does none of it; when that has ended, the connection goes with all its files", async () => {
    await connected();
    const fetch = await fetchUpTo(beforeItsRows);
    const app = windowCore();
    try {
      const connection = await app.connections.open(app.connections.find("main")!);
      const { cache, record } = connection;
      const names = `The command line (process ${fetch.child.pid}) is using this file.`;
      const pace = { onProgress: () => {}, signal: new AbortController().signal };
      await expect(app.moveCache(connection, join(home.folder, "moved.db"))).rejects.toThrow(names);
      await expect(app.compactCache(connection, pace)).rejects.toThrow(names);
      await expect(
        cache.forgetInSteps({ stationIds: null, range: null, variables: null }, () => {}, pace.signal),
      ).rejects.toThrow(names);
      await expect(app.connections.remove(record.id)).rejects.toThrow(names);
      expect(app.connections.find("main")).not.toBeNull();
      expect(await fetch.ended()).toMatchObject({ code: 0 });
      expect(cache.statistics().rows).toBe(rows);
      await app.connections.remove(record.id);
      expect([cache.path, `${cache.path}-lock`].map((path) => existsSync(path))).toEqual([false, false]);
    } finally {
      await app.close();
    }
  });
});

describe("a cache that another tool takes away from under a fetch", () => {
  const HARM: Readonly<Record<string, (path: string) => void>> = {
    moved: (path) => renameSync(path, `${path}.away`),
    "deleted with its log": (path) => {
      for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    },
    "robbed of its log": (path) => rmSync(`${path}-wal`),
    "in a data folder that is renamed": () => renameSync(join(home.folder, "home"), join(home.folder, "renamed")),
  };
  it.each(share(Object.entries(HARM)))("%s: the fetch does not end as if its rows were kept", async (_, harm) => {
    await connected();
    const { path } = await cacheNow();
    const fetch = await fetchUpTo(beforeItsRows);
    harm(path);
    const { code, stderr } = await fetch.ended();
    expect(code).toBe(6);
    expect(stderr).toContain("was moved, replaced or deleted while it was in use");
    expect(stderr).not.toMatch(/SQLITE_|\n {4}at /);
  });

  it("replaced by an older copy: the next fetch brings what is not in that one", async () => {
    await connected();
    const { path } = await cacheNow();
    const fetch = await fetchUpTo(beforeItsRows);
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    expect((await cacheNow()).rows).toBe(0);
    expect((await fetch.ended()).code).toBe(6);
    expect(await home.run(["fetch", STATION, ...DAY])).toMatchObject({ code: 0 });
    expect((await cacheNow()).rows).toBe(rows);
  });
});
