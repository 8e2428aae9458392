import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { newestBackup } from "#main/store/user/backup.ts";
import { APPLICATION_ID, migrate, openDatabase } from "#main/store/database/database.ts";
import { toStoreError } from "#main/store/errors.ts";
import {
  checkedBackups,
  openUserStore,
  restoreUsers,
  shareWarning,
  StoreError,
  userBackups,
} from "#main/store/index.ts";
import { USER_MIGRATIONS } from "#main/store/migrations/user/index.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { ConnectionRecord, JobRecord } from "#main/store/user/types.ts";
import { backupBeforeStep } from "#main/store/user/backup.ts";
import { temporaryFolders } from "./folder.ts";

const folder = temporaryFolders();

const CONNECTION: ConnectionRecord = {
  id: "c1",
  name: "=Institut “Wetter”",
  baseUrl: "https://example.org/zenith",
  createdAtMs: 5,
  cacheFile: "cache-c1.db",
  kind: "service",
};
const JOB: JobRecord = {
  id: "j1",
  connectionId: "c1",
  spec: { stationIds: ["a"], variables: ["ztd"], range: { startMs: 0, endMs: 1 }, intervalSeconds: null, raw: false },
  state: "running",
  reason: null,
  createdAtMs: 6,
  updatedAtMs: 7,
  counters: null,
  verdictCounts: null,
  keepUp: true,
  nextRunMs: 9,
};

const VERDICTS: Verdict[] = [
  { stationId: "a", variable: "ztd", range: { startMs: 0, endMs: 1 }, state: "ok", rows: 1, reason: null },
];

function nameIn(copy: string): unknown {
  const db = new Database(copy, { readonly: true });
  try {
    return db.prepare("SELECT name FROM connection").pluck().get();
  } finally {
    db.close();
  }
}

describe("user.db", () => {
  test("persists connections, jobs and views", () => {
    const path = join(folder(), "a b", "user.db");
    const first = openUserStore(path);
    first.putConnection(CONNECTION);
    first.putJob(JOB);
    first.putJob({ ...JOB, id: "j0", createdAtMs: 1 });
    first.putJob({ ...JOB, state: "finished" }, VERDICTS);
    // Verdicts are kept if none are given.
    first.putJob({ ...JOB, state: "finished", keepUp: false });
    first.putSetting("theme", "dark");
    first.putSetting("gone", "1");
    first.putSetting("gone", null);
    // A new name must not delete the jobs.
    first.putConnection({ ...CONNECTION, name: "other" });
    first.putSavedExport({ name: "e", connectionId: "c1", content: "{}" });
    first.putSavedExport({ name: "e", connectionId: "c1", content: "[1]" });
    first.renameSavedExport("e", { name: "f", connectionId: "c1", content: "[1]" });
    first.putSavedExport({ name: "g", connectionId: "c1", content: "{}" });
    first.deleteSavedExport("g");
    first.putView({ name: "v", content: "{}" });
    first.putView({ name: "v", content: "[1]" });
    first.close();
    const second = openUserStore(path);
    expect(second.connections()).toMatchObject([{ ...CONNECTION, name: "other" }]);
    expect(second.jobs()).toEqual([
      { ...JOB, id: "j0", createdAtMs: 1 },
      { ...JOB, state: "finished", keepUp: false },
    ]);
    expect([second.job("j0"), second.job("j9")]).toEqual([{ ...JOB, id: "j0", createdAtMs: 1 }, null]);
    expect([second.verdicts("j1"), second.verdicts("j0")]).toEqual([VERDICTS, null]);
    expect([second.setting("theme"), second.setting("gone")]).toEqual(["dark", null]);
    expect(second.views()).toEqual([{ name: "v", content: "[1]" }]);
    expect(second.savedExports()).toEqual([{ name: "f", connectionId: "c1", content: "[1]" }]);
    second.deleteJob("j0");
    second.deleteView("v");
    expect([second.jobs().length, second.views().length]).toEqual([1, 0]);
    second.deleteConnection("c1");
    expect([second.connections(), second.jobs(), second.savedExports()]).toEqual([[], [], []]);
    second.close();
  });

  test("reads statistics of a job from an earlier version, and ignores damaged ones", () => {
    const path = join(folder(), "user.db");
    const store = openUserStore(path);
    store.putConnection(CONNECTION);
    store.putJob({ ...JOB, verdictCounts: { ok: 1 } }, VERDICTS);
    const numbers =
      "pointsTotal pointsDone rows bodyBytes requestsSent splits retries putOff limitPoints pointsPerSecond secondsLeft";
    const earlier = Object.fromEntries(numbers.split(" ").map((name) => [name, 2]));
    const write = (counters: unknown, verdicts: string): void => {
      const db = new Database(path);
      db.prepare("UPDATE job SET counters = ?, verdicts = ?").run(JSON.stringify(counters), verdicts);
      db.close();
    };
    write({ ...earlier, state: "finished", anomalies: { conflict: 3, ofAnotherVersion: 1 } }, "{");
    expect(store.job("j1")?.counters).toMatchObject({ ...earlier, concurrency: 0, waitingUntilMs: null, outage: null });
    expect(store.job("j1")?.counters?.irregularities).toEqual({ conflict: 3 });
    expect(store.verdicts("j1")).toBeNull();
    write({ ...earlier, state: "finished", irregularities: {}, outage: { sinceMs: "long ago" } }, "[]");
    expect([store.job("j1")?.counters, store.job("j1")?.verdictCounts]).toEqual([null, { ok: 1 }]);
    store.close();
  });

  test("rejects two connections with one cache, and a job without its connection", () => {
    const store = openUserStore(join(folder(), "user.db"));
    store.putConnection(CONNECTION);
    expect(() => store.putConnection({ ...CONNECTION, id: "c2" })).toThrow(StoreError);
    expect(() => store.putJob({ ...JOB, connectionId: "nobody" })).toThrow(StoreError);
    store.close();
  });

  test.each([
    ["truncated", (path: string) => truncateSync(path, 10_000)],
    ["emptied", (path: string) => truncateSync(path, 0)],
    ["overwritten", (path: string) => writeFileSync(path, "not a database".repeat(1_000))],
  ])("reports its backup and stays unchanged if it is %s", (_, harm) => {
    const path = join(folder(), "user.db");
    const store = openUserStore(path);
    store.putConnection(CONNECTION);
    store.close();
    harm(path);
    const damaged = readFileSync(path);
    expect(() => openUserStore(path)).toThrow(`${path}.backup`);
    expect(readFileSync(path).equals(damaged)).toBe(true);
    const copy = openUserStore(`${path}.backup`);
    expect(copy.connections()).toMatchObject([CONNECTION]);
    copy.close();
  });

  test("is backed up after changes; the previous backup is kept for a day, and each can be restored", () => {
    const path = join(folder(), "user.db");
    const change = (name: string): void => {
      const store = openUserStore(path);
      store.putConnection({ ...CONNECTION, name });
      store.close();
    };
    for (const name of ["first", "second", "third"]) change(name);
    const older = new Database(`${path}.backup-2`);
    older.exec("UPDATE setting SET value = 0 WHERE name = 'backup.madeMs'");
    older.close();
    change("fourth");
    expect(["", ".backup", ".backup-2"].map((ending) => nameIn(path + ending))).toEqual(["fourth", "fourth", "third"]);
    // Programs that copy a folder change the times of its files.
    utimesSync(`${path}.backup`, 0, 0);
    writeFileSync(path, "junk".repeat(5_000));
    expect(() => openUserStore(path)).toThrow(`newest backup is ${path}.backup: `);
    expect(userBackups(path).map((b) => [b.path, b.connections])).toEqual([
      [`${path}.backup`, 1],
      [`${path}.backup-2`, 1],
    ]);
    const aside = restoreUsers(path, `${path}.backup-2`);
    expect(readFileSync(aside!, "utf8").startsWith("junk")).toBe(true);
    const store = openUserStore(path);
    expect(store.connections()).toMatchObject([{ name: "third" }]);
    expect(() => restoreUsers(path, `${path}.backup`)).toThrow("is using this file");
    store.close();
  });

  test("has backups that are checked without writing; a backup that cannot be read is named with the reason", () => {
    const path = join(folder(), "user.db");
    const store = openUserStore(path);
    store.putConnection(CONNECTION);
    store.close();
    const backup = `${path}.backup`;
    // A copy that another program opened has a header for a write-ahead log.
    const copy = new Database(backup);
    copy.pragma("journal_mode = WAL");
    copy.close();
    copyFileSync(backup, `${path}.backup-newer`);
    const newer = new Database(`${path}.backup-newer`);
    newer.pragma(`user_version = ${USER_MIGRATIONS.length + 1}`);
    newer.close();
    writeFileSync(`${path}.backup-empty`, "");
    writeFileSync(`${path}.backup-junk`, "junk".repeat(5_000));
    const before = readdirSync(dirname(path));
    const { backups, unreadable } = checkedBackups(path);
    expect(backups).toMatchObject([{ path: backup, connectionNames: [CONNECTION.name] }]);
    const reasons = new Map(unreadable.map((one) => [one.path, one.reason]));
    expect(reasons.get(`${path}.backup-newer`)).toContain(`${path}.backup-newer: This file was written by a newer`);
    expect(reasons.get(`${path}.backup-empty`)).toContain("is damaged");
    expect(reasons.get(`${path}.backup-junk`)).toContain("is damaged");
    expect(readdirSync(dirname(path))).toEqual(before);
  });

  test("rejects a write after the file was moved", () => {
    const path = join(folder(), "user.db");
    const store = openUserStore(path);
    store.putConnection(CONNECTION);
    renameSync(path, `${path}.away`);
    expect(() => store.putConnection({ ...CONNECTION, name: "lost" })).toThrow("was moved, replaced or deleted");
    store.close();
    expect(existsSync(path)).toBe(false);
  });

  test("is backed up before a migration, and rejected if it is of a newer version", () => {
    const path = join(folder(), "user.db");
    const backup = `${path}.backup-v${USER_MIGRATIONS.length}`;
    const store = openUserStore(path);
    store.putConnection(CONNECTION);
    store.close();
    const db = openDatabase(path, APPLICATION_ID.user);
    const next = [...USER_MIGRATIONS, "DELETE FROM connection"];
    migrate(db, next, APPLICATION_ID.user, (version) => backupBeforeStep(db, version));
    db.close();
    const copy = new Database(backup);
    expect(copy.prepare("SELECT name FROM connection").pluck().all()).toEqual([CONNECTION.name]);
    copy.close();
    expect([`${path}.backup`, backup]).toContain(newestBackup(path));
    expect(() => openUserStore(path)).toThrow(
      /newer version of Zenith Desk.*: update the program\..* Only if you have never used a newer version/,
    );
  });

  test("is unchanged after a failed migration", () => {
    const path = join(folder(), "user.db");
    openUserStore(path).close();
    const db = openDatabase(path, APPLICATION_ID.user);
    expect(() =>
      migrate(db, [...USER_MIGRATIONS, "CREATE TABLE half (x); SELECT nonsense"], APPLICATION_ID.user),
    ).toThrow("nonsense");
    expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
    db.close();
    openUserStore(path).close();
    expect(existsSync(path)).toBe(true);
  });
});

describe("errors of the disk", () => {
  test.each([
    ["SQLITE_FULL", "full"],
    ["SQLITE_IOERR_FSYNC", "io"],
    ["SQLITE_READONLY_DIRECTORY", "readOnly"],
    ["SQLITE_CANTOPEN", "cannotOpen"],
    ["SQLITE_BUSY_SNAPSHOT", "busy"],
    ["SQLITE_CORRUPT_INDEX", "corrupt"],
    ["SQLITE_NOTADB", "corrupt"],
    ["ENOSPC", "full"],
    ["EROFS", "readOnly"],
    ["EMFILE", "cannotOpen"],
    ["EIO", "io"],
    ["SQLITE_CONSTRAINT", "internal"],
  ])("become a message: %s is “%s”", (code, kind) => {
    const error = toStoreError("/x/cache.db", Object.assign(new Error("no"), { code }));
    expect([error.kind, error.message.startsWith("/x/cache.db: ")]).toEqual([kind, true]);
  });

  test("are reported if the disk is full, and stored data stays intact", () => {
    const path = join(folder(), "user.db");
    openUserStore(path).close();
    const db = openDatabase(path, APPLICATION_ID.user);
    db.exec("CREATE TABLE t (x)");
    db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 1}`);
    const fill = (): void => void db.prepare("INSERT INTO t VALUES (zeroblob(100000))").run();
    let error: StoreError | null = null;
    try {
      fill();
    } catch (thrown) {
      error = toStoreError(path, thrown);
    }
    expect(error?.kind).toBe("full");
    expect(db.pragma("quick_check", { simple: true })).toBe("ok");
    db.close();
  });

  test("include a warning for network shares by the type of their file system", () => {
    expect(shareWarning("/data/cache.db", () => 0x6969)).toContain("NFS");
    expect(shareWarning("/data/cache.db", () => 0xff534d42 | 0)).toContain("CIFS");
    expect(shareWarning("\\\\server\\share\\cache.db", () => 0)).toContain("network share");
    expect(shareWarning("/data/cache.db", () => 0xef53)).toBeNull();
    expect(shareWarning(join(folder(), "not", "yet", "there"))).toBeNull();
  });
});
