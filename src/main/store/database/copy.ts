import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StoreError } from "../errors.ts";
import { removeLockFile } from "../locks/fileLock.ts";
import { APPLICATION_ID } from "./database.ts";

/** @throws StoreError if there is a file at the path */
export function demandFree(target: string): void {
  if (existsSync(target))
    throw new StoreError("cannotOpen", target, `${target}: There is a file of this name already. Choose another name.`);
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
  try {
    for (const suffix of ["-wal", "-shm", "-journal", ""]) rmSync(path + suffix, { force: true });
    removeLockFile(path);
    return true;
  } catch {
    return false;
  }
}

/** Deletes an unfinished copy. @returns whether everything was deleted */
export function removeCopy(target: string): boolean {
  return removeDatabase(unfinishedOf(target));
}

const HEADER_BYTES = 100;
const APPLICATION_ID_OFFSET = 68;

/** Returns whether a file begins like a cache, read without SQLite: nothing else is ever deleted on a guess. */
export function isCacheFile(path: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      const isWhole = readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES;
      return isWhole && header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID.cache;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** The path of a copy until it is complete. */
export function unfinishedOf(target: string): string {
  return `${target}.unfinished`;
}

/** `f_type` of network file systems (Linux, statfs(2)). */
const REMOTE: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB 2",
  0x564c: "NCP",
  0x5346414f: "AFS",
  0x6b414653: "AFS",
  0x73757245: "Coda",
  0x00c36400: "Ceph",
  0x01021997: "9P",
};

/**
 * Warns if a file would be on a network share, where SQLite's write-ahead log may be corrupted, because its shared
 * memory does not reach other computers. Recognizes the usual types on Linux and `\\server\share` on Windows, but not
 * macOS and mapped drives.
 *
 * @returns a sentence for the user; null if the place is fine
 */
export function shareWarning(path: string, typeOf: (folder: string) => number = fileSystemType): string | null {
  const kind = /^[\\/]{2}[^\\/?.]/.test(path) ? "Windows" : REMOTE[typeOf(existingFolder(path)) >>> 0];
  if (kind === undefined) return null;
  return `${path}: This folder is on a network share (${kind}), where the cache can be damaged. Choose a folder on this computer.`;
}

function fileSystemType(folder: string): number {
  if (process.platform !== "linux") return 0;
  try {
    return statfsSync(folder).type;
  } catch {
    return 0;
  }
}

function existingFolder(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
