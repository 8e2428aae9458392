import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { StoreError, toStoreError } from "../errors.ts";
import { makePrivate, makePrivateFolder } from "../database/private.ts";

/** A data folder that belongs to one window program at a time. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a data folder for this process, so that no second shell runs the jobs of `user.db` a second time. The lock is
 * one of SQLite's: the system gives it up when the process ends, however it ends, so none is ever left behind. The
 * command line does not take it: beside a window it only reads, or runs jobs of its own.
 *
 * @throws StoreError `busy`, with a sentence that names the folder and the process, where another one has it
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "open.lock");
  // Nothing in it can be written twice.
  if (isReadOnly(folder)) return { release() {} };
  let db: Database.Database | null = null;
  try {
    makePrivateFolder(folder);
    makePrivate(path);
    db = new Database(path, { timeout: 0 });
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = MEMORY");
    db.exec("BEGIN EXCLUSIVE");
    writeFileSync(ownerOf(folder), `${process.pid}\n`, { mode: 0o600 });
  } catch (thrown) {
    db?.close();
    const error = toStoreError(path, thrown);
    throw error.kind === "busy" ? takenError(folder, thrown) : error;
  }
  const held = db;
  return { release: () => void held.close() };
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch {
    return existsSync(folder);
  }
}

function takenError(folder: string, cause: unknown): StoreError {
  const pid = windowProcess(folder);
  return new StoreError(
    "busy",
    folder,
    `Zenith Desk is open already on ${folder}${pid === null ? "" : ` (process ${pid})`}. Close it there, or give this one a folder of its own ` +
      "with --data-folder.",
    cause,
  );
}

/** The process that has the data folder open, or had it last; null where that is not known. */
export function windowProcess(folder: string): number | null {
  try {
    const pid = readFileSync(ownerOf(folder), "utf8").trim();
    return /^\d+$/.test(pid) ? Number(pid) : null;
  } catch {
    return null;
  }
}

function ownerOf(folder: string): string {
  return join(folder, "open.pid");
}
