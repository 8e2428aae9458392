import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createApp } from "#main/app.ts";
import { createFileSecrets } from "#main/secrets.ts";
import { openService } from "../support/openService.ts";
import { type Home, COMMAND, makeHome } from "../cli/program.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { holdable } from "./heldService.ts";

// Real programs in one data folder. In each pair, one of them is held at a known point of its work.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const [program, ...words] = COMMAND;
const DAY = ["--day", "2026-10-05"];
const STATION = "Torsvika";
/** Commands that move, delete, replace or compact a cache. */
const CARE = [
  ["cache", "move", "elsewhere.db"],
  ["cache", "forget", "--all"],
  ["cache", "compact"],
  ["connect", "--remove", "main"],
] as const;

/** All pairs take a minute on a busy machine; without the endurance run, only the first of each kind. */
const IS_WHOLE = IS_ENDURANCE;
const share = <T>(all: readonly T[]): readonly T[] => (IS_WHOLE ? all : all.slice(0, 1));

const service = await openService();
const held = await holdable(service.url);
afterAll(() => held.close());
let home = await connected();
await home.run(["fetch", STATION, ...DAY]);
/** Rows of an undisturbed fetch. */
const { rows } = await cacheNow();
let running: ChildProcess | null = null;

async function connected(): Promise<Home> {
  const made = makeHome();
  const env = { ZENITH_API_KEY: "demo-key" };
  expect(await made.run(["connect", held.url, "--name", "main"], { env })).toMatchObject({ code: 0 });
  return made;
}

afterEach(() => {
  held.hold(() => false);
  running?.kill("SIGKILL");
  running = null;
});

/** Starts a fetch that is held before the first matching request; `ended` continues it. */
async function fetchUpTo(fits: (path: string) => boolean) {
  const release = held.hold(fits);
  const child = spawn(program, [...words, "fetch", STATION, ...DAY], {
    cwd: home.folder,
    env: { ...process.env, ZENITH_API_KEY: "", ZENITH_HOME: join(home.folder, "home") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running = child;
  const errors = text(child.stderr);
  const code = once(child, "exit");
  await held.waiting();
  return {
    child,
    async ended() {
      release();
      return { code: ((await code) as [number])[0], stderr: await errors };
    },
  };
}

const beforeItsFirstWrite = (path: string): boolean => path.includes("/stations");
const beforeItsRows = (path: string): boolean => !path.includes("/stations") && !path.includes("/networks");

async function cacheNow(): Promise<{ path: string; rows: number }> {
  return home.json<{ path: string; rows: number }>(["cache"]);
}

describe("during a fetch", () => {
  it.each(
    share([
      ["that has opened the cache and not written to it", beforeItsFirstWrite],
      ["that waits for its rows", beforeItsRows],
    ] as const),
  )("%s, commands do not move, delete or compact the cache, and the fetch keeps every row", async (_, point) => {
    home = await connected();
    const fetch = await fetchUpTo(point);
    const refused = await Promise.all(CARE.map((words) => home.run(words)));
    for (const { code, stderr } of refused) {
      expect(code).toBe(6);
      // Rejected commands may name each other, too.
      expect(stderr.toLowerCase()).toContain(`the command line (process ${fetch.child.pid})`);
      expect(stderr).toMatch(/using this file\. To .+, close it there or wait for its end, then try again/);
    }
    expect(await fetch.ended()).toMatchObject({ code: 0 });
    expect((await cacheNow()).rows).toBe(rows);
  });

  it("that was killed, these commands succeed at once, because locks end with their process", async () => {
    home = await connected();
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

  it("a window with an open cache makes these commands of the command line fail, but not a fetch", async () => {
    home = await connected();
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

  it("a fetch makes these operations of a window fail; after its end, the connection is deleted with all files", async () => {
    home = await connected();
    const fetch = await fetchUpTo(beforeItsRows);
    const app = windowCore();
    try {
      const connection = await app.connections.open(app.connections.find("main")!);
      const { cache, record } = connection;
      const names = `The command line (process ${fetch.child.pid}) is using this file.`;
      const pace = { onProgress: () => {}, signal: new AbortController().signal };
      await expect(app.cacheMaintenance.move(connection, join(home.folder, "moved.db"), pace)).rejects.toThrow(names);
      await expect(app.cacheMaintenance.compact(connection, pace)).rejects.toThrow(names);
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

describe("a cache that another tool changes during a fetch", () => {
  const HARM: Readonly<Record<string, (path: string) => void>> = {
    moved: (path) => renameSync(path, `${path}.away`),
    "deleted with its log": (path) => {
      for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    },
    "without its log": (path) => rmSync(`${path}-wal`),
    "in a data folder that is renamed": () => renameSync(join(home.folder, "home"), join(home.folder, "renamed")),
  };
  it.each(share(Object.entries(HARM)))("makes the fetch fail if it is %s", async (_, harm) => {
    home = await connected();
    const { path } = await cacheNow();
    const fetch = await fetchUpTo(beforeItsRows);
    harm(path);
    const { code, stderr } = await fetch.ended();
    expect(code).toBe(6);
    expect(stderr).toContain("was moved, replaced or deleted while in use");
    expect(stderr).not.toMatch(/SQLITE_|\n {4}at /);
  });

  it("and replaces by an older copy gets the missing rows from the next fetch", async () => {
    home = await connected();
    const { path } = await cacheNow();
    const fetch = await fetchUpTo(beforeItsRows);
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    expect((await cacheNow()).rows).toBe(0);
    expect((await fetch.ended()).code).toBe(6);
    expect(await home.run(["fetch", STATION, ...DAY])).toMatchObject({ code: 0 });
    expect((await cacheNow()).rows).toBe(rows);
  });
});
