import Database from "better-sqlite3";
import { codeOf, messageOf } from "#shared/fault.ts";
import { REQUIRED_SYSTEM } from "../../program.ts";
import { DamagedData, StoreError } from "../errors.ts";

export type Db = Database.Database;

/** How long a commit waits for another process, such as the command line beside the window. */
export const BUSY_WAIT_MS = 10_000;

export { APPLICATION_ID } from "#shared/file/applicationId.ts";

export function openedBySqlite(path: string, timeout: number): Db {
  try {
    return new Database(path, { timeout });
  } catch (thrown) {
    if (codeOf(thrown) === "ERR_DLOPEN_FAILED") throw new StoreError("internal", path, nativeSentence(thrown), thrown);
    throw thrown;
  }
}

/** Why the native part of SQLite cannot be loaded. */
function nativeSentence(thrown: unknown): string {
  const reason = messageOf(thrown);
  return /GLIBC(XX)?_/.test(reason)
    ? `The C library of this system is too old: ${REQUIRED_SYSTEM}. Update the system, or use a newer one.`
    : `The part of this program that contains SQLite cannot be loaded: ${reason}. Install the program again.`;
}

/**
 * Sets our settings: write-ahead log, 8 KB pages and `synchronous = NORMAL`. A kill loses nothing; a power failure loses
 * at most the last commits, never their order.
 */
export function settle(db: Db): Db {
  db.pragma("page_size = 8192");
  db.pragma("cell_size_check = ON");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.pragma("cache_size = -16000");
  // Copying the log to the file waits for the disk twice: do it every 32 MB instead of every 8.
  db.pragma("wal_autocheckpoint = 4096");
  db.pragma("journal_size_limit = 67108864");
  return db;
}

/** Runs the rest of opening a database, which is closed if that fails. */
export function closedOnFailure<T>(db: Db, work: (db: Db) => T): T {
  try {
    return work(db);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** Runs work with a database, and closes it. */
export function withDatabase<T>(db: Db, work: (db: Db) => T): T {
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Creates a database for other programs in an empty or new file. The caller deletes an incomplete one. */
export function createPlain(path: string): Db {
  return closedOnFailure(new Database(path), (db) => {
    // No journal on the disk is needed, which a kill would leave behind. This build of SQLite ignores OFF.
    db.pragma("journal_mode = MEMORY");
    db.pragma("synchronous = OFF");
    db.pragma("foreign_keys = OFF");
    // No other process uses the file: lock it once instead of for every transaction.
    db.pragma("locking_mode = EXCLUSIVE");
    return db;
  });
}

/** Returns the number that a query yields; 0 for NULL or no row. */
export function queryNumber(db: Db, sql: string): number {
  return Number(db.prepare(sql).pluck().get() ?? 0);
}

/** Returns a function whose number changes with every commit of another connection, but not within a transaction. */
export function foreignCommitsOf(db: Db): () => number {
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  return () => dataVersion.get() ?? 0;
}

/** Returns the version of the SQLite library. */
export function sqliteVersion(): string {
  return withDatabase(new Database(":memory:"), (db) => String(db.prepare("SELECT sqlite_version()").pluck().get()));
}

/** @throws DamagedData with SQLite's description of the damage of the pages, and what SQLite throws */
export function checkPages(db: Db): void {
  const found = String(db.pragma("quick_check(1)", { simple: true }));
  if (found !== "ok") throw new DamagedData(found);
}
