import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import type { UtcMs } from "#shared/time/utc.ts";
import { backupsOf } from "./backup.ts";
import { finishCopy, removeDatabase } from "./copy.ts";
import { quarantine } from "./damage.ts";
import { toStoreError } from "./errors.ts";
import { makePrivate } from "./private.ts";
import { holdAlone } from "./useLock.ts";
import { openSoundUsers } from "./userStore.ts";

/** A backup of user.db, and what is in it. */
export interface UserBackup {
  readonly path: string;
  readonly madeAtMs: UtcMs;
  readonly connections: number;
  readonly jobs: number;
}

/** The backups of user.db that can be restored, the newest first. */
export function userBackups(path: string): UserBackup[] {
  return backupsOf(path).flatMap((backup) => {
    const found = contentsOf(path, backup);
    return found === null ? [] : [{ path: backup, madeAtMs: statSync(backup).mtimeMs, ...found }];
  });
}

/**
 * Puts a copy of a backup in the place of user.db, which is put aside with its log.
 *
 * @returns where the earlier one lies now; null where there was none
 * @throws StoreError where a program has user.db open, or the backup is damaged: nothing is changed then
 */
export function restoreUsers(path: string, backup: string): string | null {
  const release = holdAlone(path, "restore your connections");
  try {
    const copy = copyOf(path, backup);
    // Once more at the end, in the form that it will be opened in.
    openSoundUsers(copy).close();
    const aside = existsSync(path) ? quarantine(path) : null;
    if (aside === null) removeLogs(path);
    finishCopy(path);
    return aside;
  } catch (thrown) {
    throw toStoreError(backup, thrown);
  } finally {
    release();
  }
}

function contentsOf(path: string, backup: string): Pick<UserBackup, "connections" | "jobs"> | null {
  const copy = `${path}.looked-at`;
  try {
    copyFileSync(backup, copy);
    const db = openSoundUsers(copy);
    const count = (table: string): number => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    const found = { connections: count("connection"), jobs: count("job") };
    db.close();
    return found;
  } catch {
    return null;
  } finally {
    removeDatabase(copy);
  }
}

function copyOf(path: string, backup: string): string {
  const copy = `${path}.unfinished`;
  removeDatabase(copy);
  makePrivate(copy);
  copyFileSync(backup, copy);
  return copy;
}

/** A log without its file would be taken for that of the next one. */
function removeLogs(path: string): void {
  for (const ending of ["-wal", "-shm", "-journal"])
    if (existsSync(path + ending)) renameSync(path + ending, `${path}${ending}.damaged`);
}
