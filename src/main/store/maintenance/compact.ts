import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { count } from "#shared/text.ts";
import Database from "better-sqlite3";
import { copyDensely, finishCopy, removeDatabase, unfinishedOf } from "../database/copy.ts";
import { BUSY_WAIT_MS, checkPages, type Db, foreignCommitsOf, withDatabase } from "../database/database.ts";
import { usedBytesOf } from "../database/statistics.ts";
import { Stopped, StoreError, toStoreError } from "../errors.ts";
import type { ThreadPace } from "../types.ts";
import { checkFile } from "./check.ts";

/** Pages per step; it can be stopped between steps. */
const PAGES_PER_STEP = 500;
/** Share of the progress until the dense copy is complete. */
const COPIED_SHARE = 0.5;

/**
 * Reduces a cache file to the size of its data: makes a dense copy beside it, and copies its pages back in one
 * transaction. Readers continue; until that transaction ends, the file is unchanged. To be run in a thread, because
 * most of it is a few long calls.
 *
 * @throws Stopped, StoreError if the disk is full or another process writes to the file, and what SQLite throws
 */
export async function compactFile(path: string, pace: ThreadPace): Promise<void> {
  const copy = unfinishedOf(path);
  const db = new Database(path, { fileMustExist: true, timeout: BUSY_WAIT_MS });
  try {
    assertFreeSpace(path, usedBytesOf(db));
    const foreignCommits = foreignCommitsOf(db);
    const before = foreignCommits();
    pace.throwIfStopped();
    copyDensely(db, copy);
    pace.throwIfStopped();
    await copyBack(copy, db, () => foreignCommits() !== before, pace);
  } finally {
    removeDatabase(copy);
    // The log is as large as the file, whether its transaction was committed or rolled back.
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
  }
}

/**
 * Copies a cache to a new file and verifies the whole copy. To be run in a thread, while nothing is written to the cache.
 *
 * @throws Stopped, StoreError; nothing is left of the copy then
 */
export function copyFile(path: string, target: string, pace: ThreadPace): void {
  const copy = unfinishedOf(target);
  try {
    pace.throwIfStopped();
    withDatabase(new Database(path, { fileMustExist: true, timeout: BUSY_WAIT_MS }), (db) => copyDensely(db, copy));
    pace.throwIfStopped();
    const onProgress = (share: number): void => pace.onProgress(COPIED_SHARE + (1 - COPIED_SHARE) * share);
    const { damages, structure } = checkFile(copy, { ...pace, onProgress });
    if (structure !== null || damages.length > 0) {
      const reason = structure ?? "rows or coverage are not as they were written";
      const sentence = `${copy}: The copy is damaged (${reason}). The cache stays where it is. Check the disk of the new place.`;
      throw new StoreError("io", copy, sentence);
    }
    finishCopy(target);
  } catch (thrown) {
    removeDatabase(copy);
    throw thrown instanceof Stopped ? thrown : toStoreError(target, thrown);
  }
}

/** Returns the progress while SQLite makes the dense copy: it does so in one call, so the thread cannot report it. */
export function copiedShare(copyBytes: number, usedBytes: number): number {
  return COPIED_SHARE * Math.min(1, copyBytes / Math.max(1, usedBytes));
}

async function copyBack(
  copy: string,
  db: Db,
  isDisturbed: () => boolean,
  { onProgress, throwIfStopped }: ThreadPace,
): Promise<void> {
  const dense = new Database(copy, { readonly: true, fileMustExist: true });
  try {
    checkPages(dense);
    let isCompared = false;
    const { totalPages } = await dense.backup(db.name, {
      progress({ totalPages: all, remainingPages }) {
        throwIfStopped();
        // The first call comes before the first page, with the file locked against other writers until the end. Later,
        // this copy itself looks like a commit: its first pages that do not fit into memory begin the log again.
        if (!isCompared && isDisturbed()) throw disturbed(db.name, "was written to");
        isCompared = true;
        onProgress(COPIED_SHARE + (1 - COPIED_SHARE) * (1 - remainingPages / Math.max(1, all)));
        return PAGES_PER_STEP;
      },
    });
    // If the file could not be locked, no page was copied.
    if (totalPages === 0) throw disturbed(db.name, "was locked");
  } finally {
    dense.close();
  }
}

function disturbed(path: string, why: string): StoreError {
  return new StoreError(
    "busy",
    path,
    `${path}: The cache ${why} while it was compacted, perhaps by a download of another window or of the command line. ` +
      "Nothing was changed. Pause the downloads, or wait until they end, then compact again.",
  );
}

/**
 * Checks that the disk has room for the dense copy and for the log of the transaction that copies it back.
 *
 * @throws StoreError
 */
function assertFreeSpace(path: string, usedBytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const [needed, free] = [2 * usedBytes, bavail * bsize];
  if (free >= needed) return;
  throw new StoreError(
    "full",
    path,
    `${path}: Compacting needs ${megabytes(needed)} on this disk for a while, twice what the cache holds, and ` +
      `${megabytes(free)} are free. Nothing was changed. Free some space on the disk, then try again.`,
  );
}

function megabytes(bytes: number): string {
  return `${count(Math.ceil(bytes / 1e6))} MB`;
}
