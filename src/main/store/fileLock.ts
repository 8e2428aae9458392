import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { assertReadable, makePrivate, mayWrite } from "./permission.ts";
import { makeFolder } from "#formats/makeFolder.ts";
import { attempt } from "#shared/fault.ts";
import { busy, StoreError, toStoreError } from "./errors.ts";

// Locks between the processes of this computer. Each is an SQLite lock on a small, empty file: the system releases it
// when its process ends, however it ends, so no stale lock is ever left behind. Names of processes are kept elsewhere
// and serve error messages only.

export interface FileLockOptions {
  /** Returns the other processes that have the file open, for example "the command line (process 12)". */
  readonly others?: (() => readonly string[]) | undefined;
}

/** Wait for a shared lock, because most exclusive locks are brief. */
const SHARED_WAIT_MS = 1_000;

export function lockPathOf(path: string): string {
  return `${path}-lock`;
}

/**
 * Takes a shared lock on a file, to be held as long as the file is open. To move, delete, replace or compact the file, a
 * process needs the lock exclusively.
 *
 * @throws StoreError `busy` if another process holds the lock exclusively
 */
export function shareFile(path: string, { others = () => [] }: FileLockOptions = {}) {
  let shared = lockShared(path, others);
  let exclusive: Database.Database | null = null;
  let holders = 0;
  let isClosed = false;

  function returnToShared(): void {
    if (exclusive) closeLock(exclusive);
    exclusive = null;
    if (isClosed) return;
    try {
      shared = lockShared(path, others);
    } catch {
      // Another process took the lock in between. The next commit notices whatever it does to the file.
    }
  }

  /**
   * Keeps all other processes out of the file until the returned function is called. Can be nested within one process.
   *
   * @param purpose completes the sentence of the error, for example "move the cache"
   * @throws StoreError `busy`, which names the processes that have the file open
   */
  function lockExclusively(purpose: string): () => void {
    if (holders === 0) {
      if (shared) closeLock(shared);
      shared = null;
      try {
        exclusive = lockExclusive(path, purpose, others);
      } finally {
        if (exclusive === null) returnToShared();
      }
    }
    holders++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--holders === 0) returnToShared();
    };
  }

  return {
    lockExclusively,
    /**
     * Keeps all other processes out of the file while `work` runs.
     *
     * @throws StoreError as `lockExclusively`, before `work` begins
     */
    async exclusively<T>(purpose: string, work: () => Promise<T>): Promise<T> {
      const release = lockExclusively(purpose);
      try {
        return await work();
      } finally {
        release();
      }
    },
    close(): void {
      isClosed = true;
      if (shared) closeLock(shared);
      shared = null;
      if (holders === 0 && exclusive) closeLock(exclusive);
    },
  };
}

/** A shared lock on a file that this process has open. */
export type FileLock = ReturnType<typeof shareFile>;

/**
 * Locks a file that this process does not have open exclusively.
 *
 * @param purpose completes the sentence of the error, for example "move the cache"
 * @returns a function that releases the lock
 * @throws StoreError `busy`
 */
export function lockFile(path: string, purpose: string, { others = () => [] }: FileLockOptions = {}): () => void {
  const lock = lockExclusive(path, purpose, others);
  return () => closeLock(lock);
}

/** Deletes the lock file of a deleted file. */
export function removeLockFile(path: string): void {
  // An empty file that stays is harmless.
  attempt(() => rmSync(lockPathOf(path), { force: true }));
}

/**
 * Reserves a data folder for this process, so that no second shell runs the jobs of `user.db` as well. The command line
 * does not reserve it: beside a window it only reads, or runs jobs of its own. A read-only folder needs no lock.
 *
 * @returns a function that releases the folder
 * @throws StoreError `busy`, with a sentence that names the folder and the process that holds it
 */
export function lockFolder(folder: string): () => void {
  if (existsSync(folder) && !mayWrite(folder)) return () => {};
  const lockPath = join(folder, "open.lock");
  let lock: Database.Database | null = null;
  try {
    makeFolder(folder, 0o700);
    lock = openLock(lockPath, "BEGIN EXCLUSIVE", 0);
    writeProcess(folder);
  } catch (thrown) {
    if (lock) closeLock(lock);
    const error = toStoreError(lockPath, thrown);
    throw error.kind === "busy" ? folderInUse(folder, thrown) : error;
  }
  const held = lock;
  return () => closeLock(held);
}

/** Returns the process that has the data folder open or had it open last; null if unknown. */
export function windowProcess(folder: string): number | null {
  const pid = attempt(() => readFileSync(pidPathOf(folder), "utf8").trim());
  return pid !== null && /^\d+$/.test(pid) ? Number(pid) : null;
}

function writeProcess(folder: string): void {
  try {
    writeFileSync(pidPathOf(folder), `${process.pid}\n`, { mode: 0o600 });
  } catch (thrown) {
    // On a full disk, an error message cannot name the process, but data can be viewed.
    if (toStoreError(folder, thrown).kind !== "full") throw thrown;
  }
}

function pidPathOf(folder: string): string {
  return join(folder, "open.pid");
}

function folderInUse(folder: string, cause: unknown): StoreError {
  const pid = windowProcess(folder);
  return new StoreError(
    "busy",
    folder,
    `Zenith Desk is open already on ${folder}${pid === null ? "" : ` (process ${pid})`}. Close it there, or give this one a folder of its own ` +
      "with --data-folder.",
    cause,
  );
}

/** @returns null in a folder that cannot be written: no process with the same permissions can delete the file there */
function lockShared(path: string, others: () => readonly string[]): Database.Database | null {
  // Without the lock of another user, both could change the file at the same time.
  assertReadable(lockPathOf(path));
  try {
    return openLock(lockPathOf(path), "BEGIN", SHARED_WAIT_MS);
  } catch (thrown) {
    if (toStoreError(path, thrown).kind !== "busy") return null;
    throw busy(
      path,
      `${subjectOf(others())} keeping this file for itself, to move, delete, check or compact it. Wait for its end, then try again.${hintFor(others())}`,
    );
  }
}

function lockExclusive(path: string, purpose: string, others: () => readonly string[]): Database.Database {
  try {
    return openLock(lockPathOf(path), "BEGIN EXCLUSIVE", 0);
  } catch (thrown) {
    const error = toStoreError(path, thrown);
    if (error.kind !== "busy") throw error;
    throw busy(
      path,
      `${subjectOf(others())} using this file. To ${purpose}, close it there or wait for its end, then try again.${hintFor(others())}`,
    );
  }
}

/** Open lock files. A database that nobody refers to is closed by the garbage collector, which would release its lock. */
const openLocks = new Set<Database.Database>();

function closeLock(lock: Database.Database): void {
  openLocks.delete(lock);
  lock.close();
}

/** Begins a transaction on a lock file. `closeLock` releases the lock. */
function openLock(
  lockPath: string,
  begin: "BEGIN" | "BEGIN EXCLUSIVE",
  waitMs: number,
  isRecreated = false,
): Database.Database {
  makePrivate(lockPath);
  const db = new Database(lockPath, { timeout: waitMs });
  try {
    // SQLite creates a journal to lock an empty file exclusively; on the disk, a kill would leave it behind.
    db.pragma("journal_mode = MEMORY");
    db.exec(begin);
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    openLocks.add(db);
    return db;
  } catch (thrown) {
    db.close();
    // Nothing is ever written to a lock file: any content came from another program.
    if (isRecreated || toStoreError(lockPath, thrown).kind !== "corrupt") throw thrown;
    rmSync(lockPath, { force: true });
    return openLock(lockPath, begin, waitMs, true);
  }
}

/** Returns the names of the processes with their verb: "The command line (process 12) is". */
function subjectOf(others: readonly string[]): string {
  if (others.length === 0) return "Another program is";
  const names = others.join(" and ");
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${others.length === 1 ? "is" : "are"}`;
}

/** SQLite reports a file system that refuses every lock, such as some network shares, like a file that others hold. */
function hintFor(others: readonly string[]): string {
  if (others.length > 0) return "";
  return " If no other program is open, the disk cannot lock files: use a data folder on a local disk.";
}
