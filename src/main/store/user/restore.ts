import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import type { UserBackup } from "#shared/bridge/methods/recovery.ts";
import { backupsOf } from "./backup.ts";
import { finishCopy, removeDatabase } from "../database/copy.ts";
import { quarantine } from "../maintenance/quarantine.ts";
import { toStoreError } from "../errors.ts";
import { makePrivate } from "../database/private.ts";
import { lockFile } from "../locks/fileLock.ts";
import { shown } from "./userRecords.ts";
import { openCheckedUsers } from "./userStore.ts";

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
 * @param backup null: nothing is put there, and the list begins empty
 * @returns where the earlier one lies now; null where there was none
 * @throws StoreError where a program has user.db open, or the backup is damaged: nothing is changed then
 */
export function restoreUsers(path: string, backup: string | null): string | null {
  const release = lockFile(path, "restore your connections");
  try {
    // Once more at the end, in the form that it will be opened in.
    if (backup !== null) openCheckedUsers(copyOf(path, backup)).close();
    const aside = existsSync(path) ? quarantine(path) : null;
    if (aside === null) removeLogs(path);
    if (backup !== null) finishCopy(path);
    return aside;
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
      connectionNames: names.map((name) => shown(name, 200)),
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

/** A log without its file would be taken for that of the next one. */
function removeLogs(path: string): void {
  for (const ending of ["-wal", "-shm", "-journal"])
    if (existsSync(path + ending)) renameSync(path + ending, `${path}${ending}.damaged`);
}
