import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { log } from "../../log/index.ts";
import { copyDensely, removeDatabase, unfinishedOf } from "../database/copy.ts";
import type { Db } from "../database/database.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Records } from "./records.ts";

/** Number of days whose backups are kept. */
const KEPT_DAYS = 7;
const MADE = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;

/** A backup of user.db. Its name has the time at which it was made: a copied file has another time of change. */
interface Backup {
  readonly path: string;
  readonly madeAtMs: UtcMs;
}

/** Returns all backups of a file, newest first. One of a clock that was ahead comes last. */
export function backupsOf(path: string, nowMs = Date.now()): Backup[] {
  const start = `${basename(path)}.backup-`;
  if (!existsSync(dirname(path))) return [];
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start))
    .flatMap((name) => {
      const madeAtMs = backupTime(name.slice(start.length));
      return madeAtMs === null ? [] : [{ path: join(dirname(path), name), madeAtMs }];
    })
    .toSorted((a, b) => Number(a.madeAtMs > nowMs) - Number(b.madeAtMs > nowMs) || b.madeAtMs - a.madeAtMs);
}

/**
 * Writes a backup. Of its UTC day, it and the first one are kept: the state before the changes of the day. Of each of the
 * days before, the last one is kept.
 *
 * @throws what SQLite and the file system throw; the earlier backups are unchanged then
 */
function writeBackup(db: Db, nowMs: UtcMs): void {
  let path = `${db.name}.backup-${backupName(nowMs)}`;
  for (let ms = nowMs + 1; existsSync(path); ms++) path = `${db.name}.backup-${backupName(ms)}`;
  const unfinished = unfinishedBackup(db);
  copyDensely(db, unfinished);
  const file = openSync(unfinished, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  const others = backupsOf(db.name, nowMs).filter((backup) => backup.path !== path);
  const days = Map.groupBy(others, ({ madeAtMs }) => backupDay(madeAtMs));
  const [first] = days.get(backupDay(nowMs))?.toSorted((a, b) => a.madeAtMs - b.madeAtMs) ?? [];
  days.delete(backupDay(nowMs));
  const newest = [...days.values()].flatMap((ofDay) => ofDay[0] ?? []);
  const kept = new Set([first, ...newest.slice(0, KEPT_DAYS - 1)]);
  for (const backup of others) if (!kept.has(backup)) rmSync(backup.path, { force: true });
}

/** Backups of a file for each day with changes. A failed backup is tried again with the next change. */
export function createDailyBackup(db: Db, records: Records, now: () => UtcMs) {
  // What a killed process has left. One that is writing it right now fails, and tries again with its next change.
  if (existsSync(unfinishedBackup(db))) removeDatabase(unfinishedBackup(db));
  let day = backupDay(backupsOf(db.name, now())[0]?.madeAtMs ?? 0);
  let hasChanges = false;

  function write(): void {
    try {
      if (records.count("connection") === 0) return;
      // A damaged file must not replace a good backup.
      if (records.damaged().length === 0) writeBackup(db, now());
      day = backupDay(now());
      hasChanges = false;
    } catch (thrown) {
      // A full or read-only disk must not stop the user's action.
      log.warn("user.db was not backed up", thrown);
    }
  }
  const writeIfDue = (): void => {
    if (day !== backupDay(now())) write();
  };

  return {
    /** To be called before a change. The first of a day writes a backup, so that the state before it remains. */
    beforeChange: writeIfDue,
    /** To be called after a change. The first change of a new file writes its first backup. */
    afterChange(): void {
      hasChanges = true;
      writeIfDue();
    },
    /** Backs up the changes since the last backup, when the file is closed. */
    close(): void {
      if (hasChanges) write();
    },
  };
}

function unfinishedBackup(db: Db): string {
  return unfinishedOf(`${db.name}.backup`);
}

function backupDay(ms: UtcMs): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function backupName(ms: UtcMs): string {
  return new Date(ms).toISOString().replaceAll(/[:.]/g, "-");
}

function backupTime(name: string): UtcMs | null {
  const [, day, hour, minute, second, millisecond] = MADE.exec(name) ?? [];
  const ms = Date.parse(`${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(ms) ? null : ms;
}
