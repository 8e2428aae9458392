import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test, vi } from "vitest";
import { openCache, removeDatabase } from "#main/store/index.ts";
import { checkFile } from "#main/store/maintenance/check.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { TEST_START_MS } from "./arbitraries.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";
import { temporaryFolders } from "../support/folder.ts";
import { fillRows } from "./model.ts";

const folder = temporaryFolders();
const ALL_TIME = { startMs: TEST_START_MS - 1e10, endMs: TEST_START_MS + 1e10 };
const STATIONS = ["a", "b"];
const scope = { stationIds: STATIONS, variables: VARIABLE_NAMES, range: ALL_TIME, intervalSeconds: null, raw: false };

describe("pins and last use", () => {
  test("persist; a pin also without data", () => {
    const path = `${folder()}/cache.db`;
    vi.useFakeTimers({ now: 5_000, toFake: ["Date"] });
    try {
      const first = openCache(path);
      fillRows(first, { ...scope, stationIds: ["a"] }, 1);
      vi.setSystemTime(6_000);
      fillRows(first, { ...scope, stationIds: ["b"] }, 1);
      first.pin(["a"], true);
      vi.setSystemTime(9_000);
      first.rows({ ...scope, stationId: "b" });
      // Prefetched, which does not count as use.
      first.rows({ ...scope, stationId: "a" }, false);
      first.decimate({ ...scope, stationId: "a" }, 10, false);
      first.close();
    } finally {
      vi.useRealTimers();
    }
    const second = openCache(path);
    expect(second.sizes().map(({ stationId, usedAtMs, isPinned }) => [stationId, usedAtMs, isPinned])).toEqual([
      ["a", 5_000, true],
      ["b", 9_000, false],
    ]);
    second.forget(null, null);
    expect(second.sizes()).toMatchObject([{ stationId: "a", totalBytes: 0, asked: null, isPinned: true }]);
    second.pin(["a"], false);
    expect(second.sizes()).toEqual([]);
    second.close();
  });

  test("are kept if the transaction that writes them fails", () => {
    const path = `${folder()}/cache.db`;
    const cache = openCache(path);
    fillRows(cache, { ...scope, stationIds: ["a"] }, 1);
    cache.rows({ ...scope, stationId: "a" });
    const usedAtMs = cache.sizes()[0]?.usedAtMs;
    expect(usedAtMs).not.toBeNull();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      cache.rows({ ...scope, stationId: "a" });
      expect(() => cache.setSetting("not a text", {} as never)).toThrow("The store failed");
      expect(cache.sizes()[0]?.usedAtMs).toBeGreaterThan(usedAtMs!);
    } finally {
      vi.useRealTimers();
    }
    cache.close();
  });

  test("are not written by a read", () => {
    const cache = openCache(`${folder()}/cache.db`);
    fillRows(cache, scope, 1);
    const other = new Database(cache.path);
    const version = (): unknown => other.pragma("data_version", { simple: true });
    cache.sizes();
    const before = version();
    for (let i = 0; i < 10; i++) cache.rows({ ...scope, stationId: "a" });
    expect(version()).toBe(before);
    other.close();
    cache.close();
  });
});

describe("a copy of the cache", () => {
  test("is complete, and nothing is written while it is made", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fillRows(cache, scope, 1);
    cache.pin(["b"], true);
    cache.setSetting("limits", "x");
    const target = `${place}/elsewhere/moved.db`;
    const copied = cache.copyTo(target, UNSEEN);
    expect(() => fillRows(cache, { ...scope, stationIds: ["late"] }, 2)).toThrow("being copied to its new place");
    const read = cache.rows({ ...scope, stationId: "a" });
    await copied;
    expect(readdirSync(dirname(target))).toEqual(["moved.db"]);
    const copy = openCache(target);
    for (const stationId of STATIONS)
      expect(copy.rows({ ...scope, stationId })).toEqual(cache.rows({ ...scope, stationId }));
    expect(copy.rows({ ...scope, stationId: "a" })).toEqual(read);
    expect(copy.statistics().rows).toBe(cache.statistics().rows);
    expect(copy.setting("limits")).toBe("x");
    expect(copy.sizes().map((s) => [s.stationId, s.isPinned])).toEqual([
      ["a", false],
      ["b", true],
    ]);
    copy.close();
    fillRows(cache, { ...scope, stationIds: ["late"] }, 2);
    cache.close();
  });

  test("replaces no existing file, and leaves no file of a failed attempt", async () => {
    const place = folder();
    const cache = openCache(`${place}/cache.db`);
    fillRows(cache, scope, 1);
    const target = `${place}/taken.db`;
    writeFileSync(target, "mine");
    await expect(cache.copyTo(target, UNSEEN)).rejects.toThrow("A file with this name already exists");
    const other = openCache(cache.path);
    other.setSetting("a", "b");
    await expect(cache.copyTo(`${place}/free.db`, UNSEEN)).rejects.toThrow("Another program");
    other.close();
    expect(existsSync(`${place}/free.db`) || existsSync(`${place}/free.db.unfinished`)).toBe(false);
    await cache.copyTo(`${place}/free.db`, UNSEEN);
    expect(existsSync(`${place}/free.db`)).toBe(true);
    cache.close();
  });
});

test("a check does not take rows that others write meanwhile for damage", () => {
  const path = `${folder()}/cache.db`;
  const cache = openCache(path);
  fillRows(cache, { ...scope, stationIds: ["a"] }, 1);
  let isWritten = false;
  const onProgress = (): void => {
    if (!isWritten) fillRows(cache, { ...scope, stationIds: ["b"] }, 2);
    isWritten = true;
  };
  expect(checkFile(path, { ...UNSEEN, onProgress })).toEqual(SOUND);
  expect(cache.sizes().map(({ stationId }) => stationId)).toEqual(["a", "b"]);
  cache.close();
});

test("an interrupted deletion leaves a database with its name, without its logs", () => {
  const path = `${folder()}/cache.db`;
  // A folder, which cannot be deleted like a file, simulates a kill before the last step.
  mkdirSync(path, { recursive: true });
  for (const log of ["-wal", "-shm"]) writeFileSync(path + log, "log");
  expect(removeDatabase(path)).toBe(false);
  expect(["", "-wal", "-shm"].map((end) => existsSync(path + end))).toEqual([true, false, false]);
});
