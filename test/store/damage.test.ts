import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openClaimStore } from "#main/store/claimStore.ts";
import { openCache, openUserStore, StoreError, checkedBackups, type UserStore } from "#main/store/index.ts";
import { salvageFile } from "#main/store/maintenance/salvage.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { gateShare, tries } from "../support/endurance.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";
import { createTally, damagesOf, overwrite, PAGE_BYTES } from "./corrupt.ts";
import { NATIVE, readDamaged, START_MS, statesOfCache } from "./damagedCache.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "../support/folder.ts";
import { writeRows } from "./model.ts";
import { CONNECTION, JOB, VERDICT } from "./userRecords.ts";

const folder = temporaryFolders();
const DEADLINE_MS = tries(60_000, 3_600_000);
/** Salvaging each damaged copy would double the time. */
const SALVAGE_EVERY = tries(6, 3);
const MOMENTS = 4;

const states = statesOfCache(folder());

/** A file of its own with these bytes. */
function placed(bytes: Uint8Array, name = "cache.db"): string {
  const path = join(folder(), name);
  writeFileSync(path, bytes);
  return path;
}

const soundCache = (): string => placed(states.at(-1)!);
const soundDays = readDamaged(soundCache()).days;

function salvaged(path: string) {
  const target = join(folder(), "new.db");
  openCache(target).close();
  return { report: salvageFile(path, target, UNSEEN), target };
}

function demandSound(path: string): void {
  expect(readDamaged(path).outcome).toBe("intact");
  expect(damageOf(path)).toBeNull();
  rmSync(dirname(path), { recursive: true });
}

function changeDatabase(path: string, ...statements: readonly string[]): void {
  const db = new Database(path);
  for (const statement of statements) db.exec(statement);
  db.close();
}

describe("a damaged cache", () => {
  test("gives true rows and no false gaps, also when it is salvaged", { timeout: DEADLINE_MS }, () => {
    const tally = createTally("a cache");
    let [kept, read, n] = [0, 0, 0];
    for (const [damage, bytes] of damagesOf(states)) {
      const path = placed(bytes);
      if (n++ % SALVAGE_EVERY === 0) demandSound(salvaged(placed(bytes)).target);
      const { outcome, days } = readDamaged(path);
      tally.add(damage, outcome);
      rmSync(dirname(path), { recursive: true });
      if (damage !== "a flipped bit" || outcome === "quarantined") continue;
      kept += days;
      read++;
    }
    tally.write(["intact", "repaired", "quarantined"]);
    // A flipped bit costs little.
    expect(kept / read / soundDays).toBeGreaterThan(0.9);
    expect(tally.of("repaired")).toBeGreaterThan(0);
    expect(tally.of("refused")).toBe(0);
  });

  test.each<[string, (path: string) => void]>([
    ["is cut in the middle", (path) => truncateSync(path, statSync(path).size / 2)],
    ["has a zeroed header", (path) => overwrite(path, 0, Buffer.alloc(100))],
    ["is another kind of file", (path) => writeFileSync(path, "<html>not a database</html>".repeat(500))],
    ["has tables that were changed", (path) => changeDatabase(path, "ALTER TABLE bucket ADD COLUMN x TEXT")],
  ])("is quarantined and replaced by an empty one if it %s", (_, harm) => {
    const path = soundCache();
    harm(path);
    expect(readDamaged(path)).toEqual({ outcome: "quarantined", days: 0 });
  });

  test("is repaired if any byte of a bucket row changes", () => {
    const first = "FROM bucket WHERE station_id = 'beta' AND kind = 'scalar' ORDER BY bucket_ms LIMIT 1 OFFSET 4";
    for (let at = 0; at < 60; at += tries(40, 1)) {
      const path = soundCache();
      const db = new Database(path);
      const row = db.prepare<[], { bucket_ms: number; content: Buffer }>(`SELECT bucket_ms, content ${first}`).get()!;
      row.content[at]! ^= 4;
      db.prepare("UPDATE bucket SET content = ? WHERE station_id = 'beta' AND kind = 'scalar' AND bucket_ms = ?").run(
        row.content,
        row.bucket_ms,
      );
      db.close();
      expect(readDamaged(path)).toEqual({ outcome: "repaired", days: soundDays - 2 });
    }
  });

  test("is reported by the check if its structure is broken, and quarantined at the next opening", async () => {
    const path = soundCache();
    const db = new Database(path);
    const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'pyramid'").pluck().get());
    db.close();
    overwrite(path, (page - 1) * PAGE_BYTES, Buffer.alloc(PAGE_BYTES));
    const reports: string[] = [];
    const cache = openCache(path, { onDamage: (message) => void reports.push(message) });
    expect((await cache.check(UNSEEN)).structure).not.toBeNull();
    expect(reports).toEqual([expect.stringContaining("The cache is damaged")]);
    cache.close();
    const next = openCache(path);
    expect(next.quarantined).not.toBeNull();
    next.close();
  });

  test("is used if it proves sound, and the mark of a failed read is removed", () => {
    const path = soundCache();
    writeFileSync(`${path}-damaged`, "SqliteError: database disk image is malformed\n");
    expect(readDamaged(path).outcome).toBe("intact");
    expect(existsSync(`${path}-damaged`)).toBe(false);
  });

  test("is in an earlier state without its log or with an older one", () => {
    const path = soundCache();
    const cache = openCache(path);
    const later = { startMs: START_MS + 40 * DAY_MS, endMs: START_MS + 41 * DAY_MS };
    writeRows(cache, { stationIds: ["alpha"], variables: ["ztd"], range: later, ...NATIVE }, []);
    const copy = join(folder(), "cache.db");
    cpSync(dirname(path), dirname(copy), { recursive: true });
    for (const log of ["-wal", "-shm"]) rmSync(copy + log);
    cache.close();
    expect(readDamaged(copy)).toEqual({ outcome: "intact", days: soundDays });
    copyFileSync(copy, `${copy}-wal`);
    expect(readDamaged(copy).outcome).toBe("intact");
    const reopened = openCache(path);
    expect(reopened.coverage("alpha", "ztd", NATIVE).final.at(-1)).toEqual(later);
    reopened.close();
  });

  test("loses only the day of a damaged value, by its repair and by salvage", async () => {
    const path = soundCache();
    const second = "SELECT id FROM bucket_column WHERE variable = 'pwv' ORDER BY id LIMIT 1 OFFSET 2";
    changeDatabase(path, `UPDATE bucket_column SET data = zeroblob(length(data)) WHERE id = (${second})`);
    const { report, target } = salvaged(path);
    expect(report.lostRows).toBe(48);
    const copy = openCache(target);
    expect(copy.sizes().filter((s) => s.isPinned)).toMatchObject([{ stationId: "alpha" }]);
    expect(copy.setting("limits")).toBe("second");
    copy.close();
    expect(readDamaged(target)).toEqual({ outcome: "intact", days: soundDays - 2 });
    const cache = openCache(path);
    const { damages, structure } = await cache.check(UNSEEN);
    expect([structure, damages.length]).toEqual([null, 1]);
    const { range, variables } = damages[0]!;
    expect([range.endMs - range.startMs, variables]).toEqual([DAY_MS, ["ztd", "pwv"]]);
    expect(await cache.repair(UNSEEN)).toEqual({ damages, structure: null });
    expect(await cache.check(UNSEEN)).toEqual(SOUND);
    cache.close();
    expect(readDamaged(path)).toEqual({ outcome: "intact", days: soundDays - 2 });
  });
});

describe("a file that cannot be opened", () => {
  test.each([
    ["of a newer version", ["PRAGMA user_version = 99", "CREATE TABLE more (x)"], "newer version of Zenith Desk"],
    ["of another program", ["PRAGMA application_id = 7", "CREATE TABLE theirs (x)"], "belongs to another program"],
  ])("is rejected with a message and unchanged: one %s", (_, statements, sentence) => {
    const path = soundCache();
    changeDatabase(path, ...statements);
    const before = readFileSync(path);
    expect(() => openCache(path)).toThrow(sentence);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each(gateShare(["user_version = 99", "user_version = -1", "application_id = 7"]))(
    "is none with a number of the header that its tables contradict: %s",
    async (number) => {
      const path = soundCache();
      changeDatabase(path, `PRAGMA ${number}`);
      expect(readDamaged(path).outcome).toBe("intact");
      const cache = openCache(path);
      expect(await cache.check(UNSEEN)).toEqual(SOUND);
      expect(await cache.repair(UNSEEN)).toEqual(SOUND);
      cache.close();
    },
  );

  test("is rejected with a message if its path is impossible", () => {
    const path = soundCache();
    for (const wrong of [join(path, "below", "a.db"), dirname(path)])
      expect(() => openCache(wrong)).toThrow(StoreError);
  });
});

/** Returns a record as text, independent of the order of its fields. */
function textOf(record: unknown): string {
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

const connection = (id: string, moment: number) => ({
  ...CONNECTION,
  id,
  name: `${id} at ${moment}`,
  cacheFile: `cache-${id}.db`,
});
const job = (id: string, connectionId: string, moment: number) => {
  const stationIds = Array.from({ length: 20 }, (_, i) => `${connectionId} ${moment} ${i}`);
  return { ...JOB, id, connectionId, spec: { ...JOB.spec, stationIds }, updatedAtMs: moment };
};
const RANGE = { scheduleId: "s1", dueMs: 2, isFinal: false, fileNames: ["a.csv"], content: {} };

/** Saves records of a moment; those that are deleted later, too. */
function saveRecords(users: UserStore, moment: number): void {
  if (moment > 0) users.deleteConnection(`gone${moment - 1}`);
  for (const id of [`gone${moment}`, "always", `new${moment}`]) {
    users.putConnection(connection(id, moment));
    for (let n = 0; n < 8; n++) users.putJob(job(`${id}-${n}`, id, moment), [{ ...VERDICT, rows: moment }]);
    const view = { name: `view of ${id}`, text: "x".repeat(500 + 300 * moment) };
    users.changeNamed("view", { put: [{ id: view.name, value: view }] });
    const file = { name: `file of ${id}`, connectionId: id, of: `${id} ${moment}` };
    users.changeNamed("savedExport", { put: [{ id: file.name, value: file }] });
  }
  const schedule = { connectionId: "always", name: `At ${moment}`, moment, handledMs: 5 };
  users.changeNamed("schedule", { put: [{ id: "s1", value: schedule }] });
  users.enterScheduleRanges("s1", [{ ...RANGE, startMs: moment, endMs: moment + 1 }], { handledMs: 6, most: 9 });
  users.putScheduleRanges([{ ...RANGE, startMs: 50, endMs: 51 + moment, isFinal: true }]);
  users.putScheduleRun({ id: `r${moment}`, scheduleId: "s1", startedMs: 7, content: { rows: moment } }, 9);
  users.putSetting("settings", String(moment));
}

function recordsIn(users: UserStore): string[] {
  const setting = users.setting("settings");
  const records = [
    ...users.connections(),
    ...users.jobs(),
    ...users.jobs().flatMap(({ id }) => users.verdicts(id) ?? []),
    ...(["view", "savedExport", "schedule"] as const).flatMap((kind) => users.named(kind)),
    ...users.scheduleRanges("s1", "all"),
    ...users.scheduleRuns("s1"),
    ...(setting === null ? [] : [{ setting }]),
  ];
  // Nothing uses a record that says it is damaged.
  return records.filter((record) => !("damage" in record || ("value" in record && record.value === null))).map(textOf);
}

/** Returns whether a file was rejected with a message. Rethrows any error but a `StoreError`. */
function isRefused(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (thrown) {
    if (thrown instanceof StoreError && ["corrupt", "foreign", "newer"].includes(thrown.kind)) return true;
    throw thrown;
  }
}

test("a damaged user.db is refused, or has only records that were saved once", { timeout: DEADLINE_MS }, () => {
  const path = join(folder(), "user.db");
  const saved = new Set<string>();
  let last: string[] = [];
  const files = Array.from({ length: MOMENTS }, (_, moment) => {
    const users = openUserStore(path);
    saveRecords(users, moment);
    last = recordsIn(users);
    for (const record of last) saved.add(record);
    users.close();
    return readFileSync(path);
  });
  const tally = createTally("user.db");
  for (const [damage, bytes] of damagesOf(files)) {
    const copy = placed(bytes, "user.db");
    const isOld = damage.includes("stale");
    const wasRefused = isRefused(() => {
      const users = openUserStore(copy);
      try {
        const found = recordsIn(users);
        expect(found.filter((record) => !saved.has(record))).toEqual([]);
        const isNamed = users.damage.length > 0;
        expect(isOld || isNamed ? last : found).toEqual(last);
        tally.add(damage, isNamed ? "named" : "harmless");
        users.putSetting("theme", "dark");
        // A file with damaged records does not replace a backup.
        expect(isNamed ? checkedBackups(copy).backups : []).toEqual([]);
        for (const { id } of users.connections()) users.deleteConnection(id);
        expect(users.connections()).toEqual([]);
      } finally {
        users.close();
      }
    });
    if (wasRefused) tally.add(damage, "refused");
    rmSync(dirname(copy), { recursive: true });
  }
  tally.print();
  for (const outcome of ["harmless", "named", "refused"]) expect(tally.of(outcome)).toBeGreaterThan(0);
});

test("a damaged claims.db is used or created again, and accepts claims", { timeout: DEADLINE_MS }, () => {
  const path = join(folder(), "claims.db");
  const contents: string[] = [];
  const store = openClaimStore(path);
  const ends: (() => void)[] = [];
  const files = Array.from({ length: MOMENTS }, (_, moment) => {
    for (const end of ends.splice(0, 20)) end();
    for (let n = 0; n < 60; n++) {
      const content = `${moment} ${n} ${"x".repeat(300)}`;
      contents.push(content);
      ends.push(
        store.take("c1", content, () => true)!,
        store.registerUse(join(path, String(n)), "a window"),
      );
    }
    const copy = join(folder(), "claims.db");
    for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
    openClaimStore(copy).close();
    return readFileSync(copy);
  });
  store.close();
  for (const [damage, bytes] of damagesOf(files)) {
    // Claims have no checksum: at worst, something is downloaded twice.
    if (!damage.includes("stale")) continue;
    const stale = placed(bytes, "claims.db");
    const claims = openClaimStore(stale);
    let others: readonly string[] = [];
    const give = claims.take("c1", "mine", (found) => (others = found).length >= 0);
    expect(others.filter((other) => !contents.includes(other))).toEqual([]);
    expect(give).not.toBeNull();
    const leave = claims.registerUse(stale, "a window");
    for (const who of claims.otherUsersOf(join(path, "1"))) expect(who).toBe(`a window (process ${process.pid})`);
    leave();
    give?.();
    claims.close();
    rmSync(dirname(stale), { recursive: true });
  }
});
