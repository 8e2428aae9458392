import { copyFileSync, existsSync, renameSync } from "node:fs";
import { notThere } from "#formats/error.ts";
import type { UserBackup } from "#shared/bridge/methods/system.ts";
import { backupsOf, madeMs } from "./backup.ts";
import { finishCopy, removeCopy, removeDatabase } from "../database/copy.ts";
import { numberOf, withDatabase } from "../database/database.ts";
import { quarantine } from "../maintenance/quarantine.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { makePrivate } from "../database/private.ts";
import { lockFile } from "../locks/fileLock.ts";
import { displayText } from "./userRecords.ts";
import { openCheckedUsers, readCheckedUsers } from "./userStore.ts";

/** A backup that cannot be read now. `reason` is a sentence that names it. */
interface UnreadableBackup {
  readonly path: string;
  readonly reason: string;
}

/** Readable backups of user.db, newest first, and unreadable ones. */
interface CheckedBackups {
  readonly backups: readonly UserBackup[];
  readonly unreadable: readonly UnreadableBackup[];
}

/** Reads and checks the backups of user.db. Writes nothing, because their disk may be full or read-only. */
export function checkedBackups(path: string): CheckedBackups {
  const backups: UserBackup[] = [];
  const unreadable: UnreadableBackup[] = [];
  for (const backup of backupsOf(path)) {
    try {
      backups.push({ path: backup, madeAtMs: madeMs(backup), ...contentsOf(backup) });
    } catch (thrown) {
      unreadable.push({ path: backup, reason: toStoreError(backup, thrown).message });
    }
  }
  return { backups, unreadable };
}

/** Returns the backups of user.db that can be restored, newest first. */
export function userBackups(path: string): readonly UserBackup[] {
  return checkedBackups(path).backups;
}

/**
 * Replaces user.db by a copy of a backup, and quarantines it with its log.
 *
 * @param backup null: starts with an empty list
 * @returns the new path of the previous file; null if there was none
 * @throws StoreError if a program has user.db open, or the backup is damaged: nothing is changed then
 */
export function restoreUsers(path: string, backup: string | null): string | null {
  if (backup !== null && !existsSync(backup)) throw new StoreError("cannotOpen", backup, notThere(backup));
  const release = lockFile(path, "restore your connections");
  try {
    // Check the copy in the format in which it will be opened.
    if (backup !== null) openCheckedUsers(copyOf(path, backup)).close();
    const quarantined = existsSync(path) ? quarantine(path) : null;
    if (quarantined === null) removeLogs(path);
    if (backup !== null) finishCopy(path);
    return quarantined;
  } catch (thrown) {
    removeCopy(path);
    throw toStoreError(backup ?? path, thrown);
  } finally {
    release();
  }
}

function contentsOf(backup: string): Omit<UserBackup, "path" | "madeAtMs"> {
  return withDatabase(readCheckedUsers(backup), (db) => {
    const count = (table: string): number => numberOf(db, `SELECT count(*) FROM ${table}`);
    const names = db.prepare<[], string>("SELECT name FROM connection ORDER BY created_at_ms, id").pluck().all();
    return {
      connectionNames: names.map((name) => displayText(name, 200)),
      connections: names.length,
      views: count("view"),
      savedExports: count("saved_export"),
      jobs: count("job"),
    };
  });
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
