import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { readUpTo } from "#formats/fileBytes.ts";
import { attempt } from "#shared/fault.ts";
import { StoreError } from "../errors.ts";
import { removeLockFile } from "../fileLock.ts";
import { APPLICATION_ID, type Db } from "./database.ts";
import { LOGS, makePrivate } from "../permission.ts";

/** @throws StoreError if there is a file at the path */
export function demandFree(target: string): void {
  if (existsSync(target))
    throw new StoreError("cannotOpen", target, `${target}: A file with this name already exists. Choose another name.`);
}

/** Writes a dense copy of a database, instead of what is there, for its owner only. @throws what SQLite throws */
export function copyDensely(db: Db, copy: string): void {
  removeDatabase(copy);
  makePrivate(copy);
  db.prepare("VACUUM INTO ?").run(copy);
}

/** Gives a copy its final name. The copy must be closed. */
export function finishCopy(target: string): void {
  renameSync(unfinishedOf(target), target);
}

/**
 * Deletes a database with its logs. The database is deleted last: after a kill, nobody would find its logs alone.
 *
 * @returns whether everything was deleted
 */
export function removeDatabase(path: string): boolean {
  const isRemoved = attempt(() => {
    for (const suffix of [...LOGS, ""]) rmSync(path + suffix, { force: true });
    return true;
  });
  if (isRemoved) removeLockFile(path);
  return isRemoved === true;
}

/** Deletes an unfinished copy. @returns whether everything was deleted */
export function removeCopy(target: string): boolean {
  return removeDatabase(unfinishedOf(target));
}

/** Returns the first bytes of a file, which may have fewer. @throws errors of the file system */
export function headOf(path: string, bytes: number): Buffer {
  const head = Buffer.alloc(bytes);
  const file = openSync(path, "r");
  try {
    return head.subarray(0, readUpTo(file, head, 0));
  } finally {
    closeSync(file);
  }
}

const HEADER_BYTES = 100;
const APPLICATION_ID_OFFSET = 68;

/** Returns whether a file begins like a cache, read without SQLite: nothing else is ever deleted on a guess. */
export function isCacheFile(path: string): boolean {
  const header = attempt(() => headOf(path, HEADER_BYTES));
  return header?.length === HEADER_BYTES && header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID.cache;
}

/** The path of a copy until it is complete. */
export function unfinishedOf(target: string): string {
  return `${target}.unfinished`;
}
