import { copyFileSync, existsSync, renameSync } from "node:fs";
import { notThere } from "#formats/error.ts";
import type { UserBackup } from "#shared/bridge/methods/system.ts";
import { finishCopy, removeCopy, removeDatabase, unfinishedOf } from "../database/copy.ts";
import { APPLICATION_ID, closedOnFailure, withDatabase } from "../database/database.ts";
import { makePrivate } from "../database/private.ts";
import { openImmutable } from "../database/readOnly.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { lockFile } from "../locks/fileLock.ts";
import { quarantine, quarantinePathOf } from "../maintenance/quarantine.ts";
import { backupsOf } from "./backup.ts";
import { recordsOf } from "./records.ts";
import { connectionOf, damageIn, displayText } from "./userRecords.ts";
import { assertSound, openCheckedUsers } from "./userStore.ts";

/**
 * Reads and checks the backups of user.db: readable ones, newest first, and unreadable ones with a sentence that says why.
 * Writes nothing, because their disk may be full or read-only.
 */
export function checkedBackups(path: string) {
  const backups: UserBackup[] = [];
  const unreadable: { readonly path: string; readonly reason: string }[] = [];
  for (const backup of backupsOf(path)) {
    try {
      backups.push({ ...backup, ...contentsOf(backup.path) });
    } catch (thrown) {
      unreadable.push({ path: backup.path, reason: toStoreError(backup.path, thrown).message });
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
    if (backup !== null) openCheckedUsers(copyOf(path, backup)).db.close();
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

/**
 * Deletes damaged records from user.db, after copying the file.
 *
 * @returns names of the deleted records, and the path of the copy; null if no record is damaged
 * @throws StoreError if a program has user.db open, or it cannot be opened or written
 */
export function dropDamagedRecords(path: string): { readonly dropped: string[]; readonly keptAt: string } | null {
  const release = lockFile(path, "remove damaged records");
  try {
    const { db, refusal } = openCheckedUsers(path);
    return withDatabase(db, () => {
      const records = recordsOf(db);
      const dropped = damageIn(records);
      if (dropped.length === 0) return null;
      if (refusal !== null) throw refusal;
      const keptAt = quarantinePathOf(path);
      makePrivate(keptAt);
      db.prepare("VACUUM INTO ?").run(keptAt);
      db.transaction(() => {
        for (const { kind, id } of records.damaged()) records.remove(kind, id);
      }).immediate();
      return { dropped, keptAt };
    });
  } catch (thrown) {
    throw toStoreError(path, thrown);
  } finally {
    release();
  }
}

function contentsOf(backup: string): Omit<UserBackup, "path" | "madeAtMs"> {
  const opened = closedOnFailure(openImmutable(backup, APPLICATION_ID.user), assertSound);
  return withDatabase(opened, (db) => {
    const records = recordsOf(db);
    const connections = records.all("connection").map(connectionOf);
    return {
      connectionNames: connections
        .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
        .map(({ name }) => displayText(name, 200)),
      connections: connections.length,
      views: records.count("view"),
      savedExports: records.count("savedExport"),
      jobs: records.count("job"),
      schedules: records.count("schedule"),
      damagedRecords: records.damaged().length,
    };
  });
}

function copyOf(path: string, backup: string): string {
  const copy = unfinishedOf(path);
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
