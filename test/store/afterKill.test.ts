import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { type CacheWatch, openCache } from "#main/store/cache/cache.ts";
import { runInThread } from "#main/store/thread/thread.ts";
import { TEST_START_MS } from "./arbitraries.ts";
import { temporaryFolders } from "./folder.ts";
import { leaveOpen } from "./killedOpening.ts";
import { rowsAsModel, writeRows } from "./model.ts";
import { itUnless, WINDOWS_LACKS } from "../support/needs.ts";
import { UNSEEN } from "../support/pace.ts";

const folder = temporaryFolders();
const NATIVE = { intervalSeconds: null, raw: false } as const;
const RANGE = { startMs: TEST_START_MS, endMs: TEST_START_MS + 600 * 900_000 };
const ROWS = Array.from({ length: 600 }, (_, i) => ({
  stationId: "a",
  timeMs: TEST_START_MS + i * 900_000,
  values: { ztd: Math.sin(i) },
}));

/** A cache that a process had open when it was killed. */
function killedCache(): string {
  const path = join(folder(), "cache.db");
  const cache = openCache(path);
  writeRows(cache, { stationIds: ["a"], variables: ["ztd"], range: RANGE, ...NATIVE }, ROWS);
  cache.close();
  leaveOpen(path);
  return path;
}

function withFile<T>(path: string, look: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const openings = (path: string) => withFile(path, (db) => db.prepare("SELECT count(*) FROM opening").pluck().get());

function watched() {
  const reports = { shares: [] as number[], damages: [] as string[] };
  const watch: CacheWatch = {
    onCheck: (share) => void reports.shares.push(share),
    onDamage: (message) => void reports.damages.push(message),
  };
  return { reports, watch };
}

describe("a cache that was not closed", () => {
  test("can be used while it is checked, and counts as sound afterwards", async () => {
    const path = killedCache();
    const { reports, watch } = watched();
    const cache = openCache(path, watch);
    expect(reports.shares).toEqual([0]);
    // The check has not run yet.
    expect(openings(path)).toBe(1);
    const selection = { stationId: "a", variables: ["ztd"], range: RANGE, ...NATIVE } as const;
    expect(rowsAsModel("a", cache.rows(selection))).toEqual(ROWS);
    cache.setSetting("meanwhile", "kept");
    expect(await cache.checkedAfterKill).toBe(null);
    expect(reports).toMatchObject({ shares: expect.arrayContaining([0, 1]), damages: [] });
    expect(cache.setting("meanwhile")).toBe("kept");
    cache.close();
    expect(openings(path)).toBe(0);
    const again = watched();
    openCache(path, again.watch).close();
    expect(again.reports.shares).toEqual([]);
  });

  test("is reported if it is damaged, and quarantined at the next opening", async () => {
    const path = killedCache();
    const page = withFile(path, (db) =>
      db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'pyramid'").pluck().get(),
    );
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(8192), 0, 8192, (Number(page) - 1) * 8192);
    closeSync(file);
    const { reports, watch } = watched();
    const cache = openCache(path, watch);
    expect(await cache.checkedAfterKill).toContain("The cache is damaged");
    expect(reports.damages).toHaveLength(1);
    cache.close();
    const next = openCache(path);
    expect(next.quarantined).not.toBe(null);
    next.close();
  });

  test("is checked again at the next opening if it is closed before its check ends", async () => {
    const path = killedCache();
    const cache = openCache(path);
    cache.close();
    expect(await cache.checkedAfterKill).toBe(null);
    expect(openings(path)).toBe(1);
  });
});

test("a repair that cannot write says so with the name of the file", async () => {
  const path = join(folder(), "cache.db");
  const cache = openCache(path);
  withFile(path, (db) =>
    db.exec("CREATE TRIGGER refused BEFORE INSERT ON opening BEGIN SELECT raise(ABORT, 'refused'); END"),
  );
  await expect(cache.repair(UNSEEN)).rejects.toThrow(`${path}: The store failed: SqliteError: refused`);
  cache.close();
});

itUnless(WINDOWS_LACKS, "a check ends at once when it is aborted, even if SQLite is blocked", async () => {
  // Opening a pipe blocks until another process writes to it.
  const place = folder();
  mkdirSync(place);
  const pipe = join(place, "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const stop = new AbortController();
  const checked = runInThread("check", pipe, { onProgress: () => {}, signal: stop.signal });
  setTimeout(() => stop.abort(new Error("stopped")), 500);
  await expect(checked).rejects.toThrow("stopped");
  closeSync(openSync(pipe, "r+"));
});
