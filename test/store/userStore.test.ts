import { spawn } from "node:child_process";
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
import { setImmediate as turn } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { toStoreError } from "#main/store/errors.ts";
import { checkedBackups, openUserStore, restoreUsers } from "#main/store/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { temporaryFolders } from "../support/folder.ts";
import { CONNECTION, JOB, VERDICT } from "./userRecords.ts";

const folder = temporaryFolders();

/** A saved view or export of a connection. */
function named(name: string, content: readonly number[] = []) {
  return { id: name, value: { name, connectionId: "c1", content } };
}

describe("user.db", () => {
  test("persists connections, jobs and views", () => {
    const path = join(folder(), "a b", "user.db");
    const first = openUserStore(path);
    first.putConnection(CONNECTION);
    first.putJob(JOB);
    first.putJob({ ...JOB, id: "j0", createdAtMs: 1 });
    first.putJob({ ...JOB, state: "finished" }, [VERDICT]);
    // Verdicts are kept if none are given.
    first.putJob({ ...JOB, state: "finished", keepUp: false });
    first.putSetting("theme", "dark");
    first.putSetting("gone", "1");
    first.putSetting("gone", null);
    // A new name must not delete the jobs.
    first.putConnection({ ...CONNECTION, name: "other" });
    first.changeNamed("savedExport", { put: [named("e"), named("g")] });
    first.changeNamed("savedExport", { put: [named("e", [1])] });
    first.changeNamed("savedExport", { put: [named("f", [1])], remove: ["e", "g"] });
    first.changeNamed("view", { put: [named("v", [1])] });
    first.close();
    const second = openUserStore(path);
    expect(second.damage).toEqual([]);
    expect(second.connections()).toEqual([{ ...CONNECTION, name: "other" }]);
    expect(second.jobs()).toEqual([
      { ...JOB, id: "j0", createdAtMs: 1 },
      { ...JOB, state: "finished", keepUp: false },
    ]);
    expect([second.job("j0"), second.job("j9")]).toEqual([{ ...JOB, id: "j0", createdAtMs: 1 }, null]);
    expect([second.verdicts("j1"), second.verdicts("j0")]).toEqual([[VERDICT], null]);
    expect([second.setting("theme"), second.setting("gone")]).toEqual(["dark", null]);
    expect(second.named("view")).toEqual([{ name: "v", ...named("v", [1]) }]);
    expect(second.named("savedExport")).toEqual([{ name: "f", ...named("f", [1]) }]);
    second.deleteJobs(["j0"]);
    second.changeNamed("view", { remove: ["v"] });
    expect([second.jobs().length, second.named("view").length]).toEqual([1, 0]);
    second.deleteConnection("c1");
    const left = [second.connections(), second.jobs(), second.named("savedExport")].flat();
    expect([left, second.verdicts("j1")]).toEqual([[], null]);
    second.close();
  });

  test("rejects two connections with one cache, and what belongs to a removed connection", () => {
    const store = openUserStore(join(folder(), "user.db"));
    store.putConnection(CONNECTION);
    expect(() => store.putConnection({ ...CONNECTION, id: "c2" })).toThrow("another connection has the same cache");
    const lost = { id: "e", value: { name: "e", connectionId: "nobody" } };
    for (const put of [
      () => store.putJob({ ...JOB, connectionId: "nobody" }),
      () => store.changeNamed("savedExport", { put: [lost] }),
      () => store.changeNamed("schedule", { put: [lost] }),
    ])
      expect(put).toThrow("its connection was removed meanwhile");
    store.close();
  });

  test("tells of each change of records once: of its own at once, of those of others at the next look", () => {
    const path = join(folder(), "user.db");
    const [own, other] = [openUserStore(path), openUserStore(path)];
    const told: string[] = [];
    const look = own.follow(["connection", "view", "savedExport"], (kind) => told.push(kind));
    const toldNow = (): string[] => told.splice(0);
    own.putConnection(CONNECTION);
    own.putSetting("theme", "dark");
    own.changeNamed("savedExport", { put: [named("e")] });
    expect(toldNow()).toEqual(["connection", "savedExport"]);
    look();
    expect(toldNow()).toEqual([]);
    other.changeNamed("view", { put: [named("v")] });
    other.putJob(JOB);
    expect(toldNow()).toEqual([]);
    look();
    look();
    expect(toldNow()).toEqual(["view"]);
    // What belongs to a connection goes with it.
    own.deleteConnection("c1");
    look();
    expect(toldNow()).toEqual(["connection", "savedExport"]);
    for (const store of [own, other]) store.close();
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
    const [backup] = checkedBackups(path).backups;
    expect(() => openUserStore(path)).toThrow(backup!.path);
    expect(readFileSync(path).equals(damaged)).toBe(true);
    const copy = openUserStore(backup!.path);
    expect(copy.connections()).toEqual([CONNECTION]);
    copy.close();
  });

  test("is backed up once a day: before the first change, and with the last one when it is closed", () => {
    const path = join(folder(), "user.db");
    const names = (): unknown[] => checkedBackups(path).backups.flatMap((backup) => backup.connectionNames);
    const first = openUserStore(path, () => DAY_MS);
    first.putConnection({ ...CONNECTION, name: "first" });
    expect(names()).toEqual(["first"]);
    first.putConnection({ ...CONNECTION, name: "second" });
    expect(names()).toEqual(["first"]);
    first.close();
    expect(names()).toEqual(["second", "first"]);
    // The program runs on, and is killed on the next day.
    const second = openUserStore(path, () => 2 * DAY_MS);
    second.putConnection({ ...CONNECTION, name: "third" });
    expect(names()).toEqual(["second", "second"]);
    second.close();
    expect(names()).toEqual(["third", "second", "second"]);
    for (let day = 3; day < 20; day++) {
      const later = openUserStore(path, () => day * DAY_MS + 5_000);
      later.putConnection({ ...CONNECTION, name: `day ${day}` });
      later.close();
    }
    expect(names()).toEqual([19, 18, 18, 17, 16, 15, 14, 13].map((day) => `day ${day}`));
    // Programs that copy a folder change the times of its files.
    const [newest, , older] = checkedBackups(path).backups;
    utimesSync(newest!.path, 0, 0);
    expect(checkedBackups(path).backups[0]).toMatchObject({ path: newest!.path, madeAtMs: 19 * DAY_MS + 5_001 });
    // One of a clock that was ahead is not the newest.
    const ahead = `${path}.backup-2999-01-01T00-00-00-000Z`;
    copyFileSync(older!.path, ahead);
    expect(checkedBackups(path).backups.at(-1)).toMatchObject({ path: ahead });

    writeFileSync(path, "junk".repeat(5_000));
    expect(() => openUserStore(path)).toThrow(`newest backup is ${newest!.path}: `);
    const aside = restoreUsers(path, () => older!.path);
    expect(readFileSync(aside!, "utf8").startsWith("junk")).toBe(true);
    const store = openUserStore(path);
    expect(store.connections()).toMatchObject([{ name: "day 18" }]);
    expect(() => restoreUsers(path, () => newest!.path)).toThrow("is using this file");
    store.close();
  });

  test("removes the unfinished backup of a process that was killed", () => {
    const path = join(folder(), "user.db");
    writeFileSync(`${path}.backup.unfinished`, "SQLite format 3");
    openUserStore(path).close();
    expect(readdirSync(dirname(path)).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  test("has readable backups also while another program replaces them", async () => {
    const path = join(folder(), "user.db");
    const users = openUserStore(path);
    users.putConnection(CONNECTION);
    users.close();
    const child = spawn(process.execPath, [join(import.meta.dirname, "backupsForever.ts"), path], { stdio: "inherit" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const seen = new Set<string>();
    while (seen.size < 40) {
      const { backups, unreadable } = checkedBackups(path);
      expect([backups.length > 0, unreadable]).toEqual([true, []]);
      for (const backup of backups) seen.add(backup.path);
      await turn();
    }
  });

  test("has backups that are checked without writing; a backup that cannot be read is named with the reason", () => {
    const path = join(folder(), "user.db");
    const store = openUserStore(path);
    store.putConnection(CONNECTION);
    store.close();
    const backup = checkedBackups(path).backups[0]!.path;
    // A copy that another program opened has a header for a write-ahead log.
    const copy = new Database(backup);
    copy.pragma("journal_mode = WAL");
    copy.close();
    const named = (day: string): string => `${path}.backup-2001-01-${day}T00-00-00-000Z`;
    copyFileSync(backup, named("03"));
    const foreign = new Database(named("03"));
    foreign.pragma("application_id = 7");
    foreign.close();
    writeFileSync(named("02"), "");
    writeFileSync(named("01"), "junk".repeat(5_000));
    const before = readdirSync(dirname(path));
    const { backups, unreadable } = checkedBackups(path);
    expect(backups).toMatchObject([{ path: backup, connectionNames: [CONNECTION.name] }]);
    expect(unreadable.map(({ path: unread }) => unread)).toEqual(["03", "02", "01"].map(named));
    for (const [i, reason] of ["belongs to another program", "is damaged", "is damaged"].entries())
      expect(unreadable[i]!.reason).toContain(reason);
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

  test("is rejected if it is of a newer version, and the update is advised", () => {
    const path = join(folder(), "user.db");
    openUserStore(path).close();
    const db = new Database(path);
    db.pragma("user_version = 2");
    db.close();
    expect(() => openUserStore(path)).toThrow(
      /newer version of Zenith Desk.*: update the program\..* Only if you have never used a newer version/,
    );
  });
});

test.each([
  ["busy", "BUSY_SNAPSHOT PROTOCOL NOMEM IOERR_NOMEM INTERRUPT", "ENOMEM EBUSY"],
  ["corrupt", "CORRUPT_INDEX NOTADB IOERR_CORRUPTFS", ""],
  ["full", "FULL", "ENOSPC"],
  ["readOnly", "READONLY_DIRECTORY", "EROFS"],
  ["cannotOpen", "CANTOPEN", "EMFILE"],
  ["io", "IOERR_READ", "EIO"],
])("an error of the disk names its file; what passes is never taken for damage: %s", (kind, sqlite, system) => {
  for (const code of [...sqlite.split(" ").map((name) => `SQLITE_${name}`), ...system.split(" ").filter(Boolean)]) {
    const error = toStoreError("/x/cache.db", Object.assign(new Error("no"), { code }));
    expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(/^\/x\/cache\.db: /)]);
  }
});
