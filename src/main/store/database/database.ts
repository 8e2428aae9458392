import Database from "better-sqlite3";
import { log } from "../../log/index.ts";
import { DamagedData, StoreError } from "../errors.ts";
import { makePrivate } from "./private.ts";

export type Db = Database.Database;

/** One step to the next form of a file: statements, or work where statements alone do not do. */
export type Migration = string | ((db: Db) => void);

/** How long a commit waits for another process (the command line beside the window) to finish its own. */
export const BUSY_WAIT_MS = 10_000;

/** Which program a file belongs to, written into its head (`PRAGMA application_id`). */
export const APPLICATION_ID = { cache: 0x5a44_0001, user: 0x5a44_0002, claims: 0x5a44_0003 } as const;

/**
 * Opens or creates a file in the form that all our files have: write-ahead log, 8 KB pages, and `synchronous = NORMAL`:
 * a kill loses nothing, a power failure at most the last commits, never the order of them.
 *
 * @throws StoreError `foreign` for a database of another program, and whatever SQLite throws
 */
export function openDatabase(path: string, applicationId: number, busyWaitMs = BUSY_WAIT_MS): Db {
  makePrivate(path);
  const db = new Database(path, { timeout: busyWaitMs });
  try {
    const isNew = db.pragma("page_count", { simple: true }) === 0;
    const owner = db.pragma("application_id", { simple: true });
    if (!isNew && owner !== applicationId && !isBlank(db)) {
      throw new StoreError("foreign", path, `${path}: This file belongs to another program; it was left as it is.`);
    }
    db.pragma("page_size = 8192");
    db.pragma("cell_size_check = ON");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.pragma("cache_size = -16000");
    // To copy the log into the file waits for the disk twice: every 32 MB instead of every 8.
    db.pragma("wal_autocheckpoint = 4096");
    db.pragma("journal_size_limit = 67108864");
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** A file whose creation was interrupted before its first table: ours to finish. */
function isBlank(db: Db): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

/**
 * Brings a file to the newest form, one transaction for each step, so that a kill leaves it at a whole number of steps.
 *
 * @param beforeStep called once when there is something to do on a file that is not new
 * @throws StoreError `newer` for a file of a newer program, which is left as it is
 */
export function migrate(
  db: Db,
  migrations: readonly Migration[],
  applicationId: number,
  beforeStep: (version: number) => void = () => {},
): void {
  const found = versionOf(db);
  if (found > migrations.length) {
    throw new StoreError(
      "newer",
      db.name,
      `${db.name}: This file was written by a newer version of Zenith Desk (format ${found}, this program knows up to ` +
        `${migrations.length}): update the program. The file was left as it is.`,
    );
  }
  if (found < 0) throw new DamagedData("its version is less than none");
  if (found > 0 && found < migrations.length) {
    log.info(`${db.name}: format ${found} becomes ${migrations.length}`);
    beforeStep(found);
  }
  const step = db.transaction((version: number) => {
    // Another process may have done it while this one waited for the lock.
    if (versionOf(db) !== version) return;
    const migration = migrations[version]!;
    if (typeof migration === "string") db.exec(migration);
    else migration(db);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${version + 1}`);
  });
  for (let version = found; version < migrations.length; version++) step.immediate(version);
}

function versionOf(db: Db): number {
  return Number(db.pragma("user_version", { simple: true }));
}

/** Version of the SQLite library that the caches are written with. */
export function sqliteVersion(): string {
  const db = new Database(":memory:");
  try {
    return String(db.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    db.close();
  }
}
