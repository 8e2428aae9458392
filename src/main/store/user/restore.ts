import { copyFileSync, existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { notThere } from "#formats/error.ts";
import type { UserBackup } from "#shared/bridge/methods/system.ts";
import { copyDensely, finishCopy, removeCopy, unfinishedOf } from "../database/copy.ts";
import { checkPages, withDatabase } from "../database/database.ts";
import { makePrivate } from "../permission.ts";
import { openImmutable } from "../database/readOnly.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { lockFile } from "../fileLock.ts";
import { quarantine, quarantinePathOf } from "../maintenance/quarantine.ts";
import { backupsOf } from "./backup.ts";
import { recordsOf, USER_FORM } from "./records.ts";
import { connectionOf, damageIn, displayText } from "./userRecords.ts";
import { openCheckedUsers } from "./userStore.ts";

/**
 * Reads and checks the backups of user.db: readable ones, newest first, and unreadable ones with a sentence that says why.
 * Writes nothing, because their disk may be full or read-only.
 */
export function checkedBackups(path: string) {
  for (;;) {
    const backups: UserBackup[] = [];
    const unreadable: { readonly path: string; readonly reason: string }[] = [];
    const listed = backupsOf(path);
    for (const backup of listed) {
      try {
        backups.push({ ...backup, ...contentsOf(backup.path) });
      } catch (thrown) {
        unreadable.push({ path: backup.path, reason: toStoreError(backup.path, thrown).message });
      }
    }
    // An unreadable one may have been replaced since the folder was listed.
    if (unreadable.length === 0 || isDeepStrictEqual(backupsOf(path), listed)) return { backups, unreadable };
  }
}

/**
 * Replaces user.db by a copy of a backup, and puts it aside with its log.
 *
 * @param choose returns the path of the backup, or null to start with an empty list; called once no process can replace
 * backups any more
 * @returns the new path of the previous file; null if there was none
 * @throws StoreError if a program has user.db open, or the backup is damaged: nothing is changed then
 */
export function restoreUsers(path: string, choose: () => string | null): string | null {
  const release = lockFile(path, "restore your connections");
  try {
    return replaceUsers(path, choose());
  } finally {
    release();
  }
}

/** @throws StoreError: nothing is changed then */
function replaceUsers(path: string, backup: string | null): string | null {
  if (backup !== null && !existsSync(backup)) throw new StoreError("cannotOpen", backup, notThere(backup));
  try {
    if (backup !== null) {
      removeCopy(path);
      makePrivate(unfinishedOf(path));
      copyFileSync(backup, unfinishedOf(path));
      // Check the copy in the format in which it will be opened.
      openCheckedUsers(unfinishedOf(path)).db.close();
    }
    const isThere = existsSync(path);
    // Also logs without a database: SQLite would apply them to the next one.
    const quarantined = quarantine(path, "replaced");
    if (backup !== null) finishCopy(path);
    return isThere ? quarantined : null;
  } catch (thrown) {
    removeCopy(path);
    throw toStoreError(backup ?? path, thrown);
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
      copyDensely(db, keptAt);
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
  return withDatabase(openImmutable(backup, USER_FORM), (db) => {
    checkPages(db);
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
