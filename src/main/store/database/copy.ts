import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { APPLICATION_ID, type Db } from "./database.ts";
import { StoreError } from "../errors.ts";
import { makePrivate, makePrivateFolder } from "./private.ts";
import { removeLockFile } from "../locks/fileLock.ts";

/** Pages of one step; between two of them the others have their turn. */
const PAGES_A_STEP = 2_000;

/**
 * Copies a database that is in use to a file that does not exist yet. What is written meanwhile through the same
 * connection is in the copy too.
 *
 * @param onProgress share of pages, 0 to 1
 * @returns path of the whole copy, which is not under its final name yet
 * @throws StoreError, and whatever SQLite throws; nothing is left of an unfinished copy then
 */
export async function copyDatabase(db: Db, target: string, onProgress: (share: number) => void): Promise<string> {
  demandFree(target);
  makePrivateFolder(dirname(target));
  const unfinished = unfinishedOf(target);
  removeDatabase(unfinished);
  makePrivate(unfinished);
  try {
    await db.backup(unfinished, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
        return PAGES_A_STEP;
      },
    });
    return unfinished;
  } catch (thrown) {
    removeDatabase(unfinished);
    throw thrown;
  }
}

/** @throws StoreError where something is at the path */
export function demandFree(target: string): void {
  if (existsSync(target))
    throw new StoreError("cannotOpen", target, `${target}: There is a file of this name already. Choose another name.`);
}

/** Gives a copy its final name. It must be closed. */
export function finishCopy(target: string): void {
  renameSync(unfinishedOf(target), target);
}

/** A database with its logs, itself last: logs alone would not be found again by who goes on after a kill. @returns whether nothing is left of it */
export function removeDatabase(path: string): boolean {
  try {
    for (const suffix of ["-wal", "-shm", "-journal", ""]) rmSync(path + suffix, { force: true });
    removeLockFile(path);
    return true;
  } catch {
    return false;
  }
}

/** What was begun of a copy and never got its final name. @returns whether nothing is left of it */
export function removeCopy(target: string): boolean {
  return removeDatabase(unfinishedOf(target));
}

const HEAD_BYTES = 100;
const APPLICATION_AT = 68;

/** Whether a file begins as our caches do: nothing else is ever deleted on a guess. */
export function isCacheFile(path: string): boolean {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      const isWhole = readSync(file, head, 0, HEAD_BYTES, 0) === HEAD_BYTES;
      return isWhole && head.readUInt32BE(APPLICATION_AT) === APPLICATION_ID.cache;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

function unfinishedOf(target: string): string {
  return `${target}.unfinished`;
}
