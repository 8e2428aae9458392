import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import type { UserBackup } from "#shared/bridge/methods/recovery.ts";
import { backupsOf } from "./backup.ts";
import { finishCopy, removeDatabase } from "../database/copy.ts";
import { quarantine } from "../maintenance/quarantine.ts";
import { toStoreError } from "../errors.ts";
import { makePrivate } from "../database/private.ts";
import { lockFile } from "../locks/fileLock.ts";
import { displayText } from "./userRecords.ts";
import { openCheckedUsers } from "./userStore.ts";

/** Returns the backups of user.db that can be restored, newest first. */
export function userBackups(path: string): UserBackup[] {
  return backupsOf(path).flatMap((backup) => {
    const found = contentsOf(path, backup);
    return found === null ? [] : [{ path: backup, madeAtMs: statSync(backup).mtimeMs, ...found }];
  });
}

/**
 * Replaces user.db by a copy of a backup, and quarantines it with its log.
 *
 * @param backup null: starts with an empty list
 * @returns the new path of the previous file; null if there was none
 * @throws StoreError if a program has user.db open, or the backup is damaged: nothing is changed then
 */
export function restoreUsers(path: string, backup: string | null): string | null {
  const release = lockFile(path, "restore your connections");
  try {
    // Check the copy in the format in which it will be opened.
    if (backup !== null) openCheckedUsers(copyOf(path, backup)).close();
    const quarantined = existsSync(path) ? quarantine(path) : null;
    if (quarantined === null) removeLogs(path);
    if (backup !== null) finishCopy(path);
    return quarantined;
  } catch (thrown) {
    throw toStoreError(backup ?? path, thrown);
  } finally {
    release();
  }
}

function contentsOf(path: string, backup: string): Omit<UserBackup, "path" | "madeAtMs"> | null {
  const copy = `${path}.looked-at`;
  try {
    copyFileSync(backup, copy);
    const db = openCheckedUsers(copy);
    const count = (table: string): number => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    const names = db.prepare<[], string>("SELECT name FROM connection ORDER BY created_at_ms, id").pluck().all();
    const found = {
      connectionNames: names.map((name) => displayText(name, 200)),
      connections: names.length,
      views: count("view"),
      savedExports: count("saved_export"),
      jobs: count("job"),
    };
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

/** Moves logs without a database away: SQLite would apply them to the next one. */
function removeLogs(path: string): void {
  for (const ending of ["-wal", "-shm", "-journal"])
    if (existsSync(path + ending)) renameSync(path + ending, `${path}${ending}.damaged`);
}
