import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { APPLICATION_ID, type Db, openInMemory, withDatabase } from "../database/database.ts";
import { makePrivate } from "../database/private.ts";
import { settingTable } from "../tables/settings.ts";

/** The setting of a backup that tells when it was made. A copied or restored file has another time of change. */
const MADE_MS = "backup.madeMs";

/** Copies user.db; the copy gets its final name only when it is complete, and replaces an older one. */
function backupTo(db: Db, target: string): void {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { force: true });
  makePrivate(unfinished);
  db.prepare("VACUUM INTO ?").run(unfinished);
  withDatabase(new Database(unfinished), (copy) => settingTable(copy).set(MADE_MS, String(Date.now())));
  const file = openSync(unfinished, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, target);
}

/** Makes a backup before a migration, which cannot be undone. It is never deleted. */
export function backupBeforeStep(db: Db, version: number): void {
  backupTo(db, `${db.name}.backup-v${version}`);
}

/**
 * Delays before changes are backed up, so that several share one backup: soon for data that cannot be downloaded again,
 * later for downloads.
 */
const SOON_MS = 5_000;
const LATER_MS = 600_000;

/** Backups of a file after its changes. */
interface Backups {
  /** @param isPrecious whether the data cannot be downloaded again */
  changed(isPrecious: boolean): void;
  /** Backs up the changes since the last backup now. */
  flush(): void;
}

/**
 * Creates the backups of a file: one of the newest state and one about a day older, so that a mistake noticed the same
 * day is not in both. A failed backup is repeated after the next change, or when the file is closed.
 */
export function createBackups(db: Db): Backups {
  let isDue = !existsSync(newestOf(db));
  let timer: { readonly isPrecious: boolean; readonly handle: NodeJS.Timeout } | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer.handle);
    timer = null;
    if (!isDue || !db.open || db.inTransaction) return;
    try {
      rotate(db);
      isDue = false;
    } catch {
      // A full or read-only disk must not stop the user's action.
    }
  }

  return {
    changed(isPrecious) {
      isDue = true;
      if (timer !== null && (timer.isPrecious || !isPrecious)) return;
      if (timer) clearTimeout(timer.handle);
      timer = { isPrecious, handle: setTimeout(flush, isPrecious ? SOON_MS : LATER_MS).unref() };
    },
    flush,
  };
}

function newestOf(db: Db): string {
  return `${db.name}.backup`;
}

function rotate(db: Db): void {
  const [newest, older] = [newestOf(db), `${newestOf(db)}-2`];
  const ageMs = Date.now() - madeMs(older);
  // A clock that was set back must not keep an old backup forever.
  if (Math.abs(ageMs) > DAY_MS && existsSync(newest)) renameSync(newest, older);
  backupTo(db, newest);
}

/** Returns the addresses of a connection in the backups of user.db. Unreadable backups are skipped. */
export function addressesIn(backups: readonly string[], connectionId: string): string[] {
  const found = backups.map((path) => {
    try {
      return withDatabase(new Database(path, { readonly: true, fileMustExist: true }), (db) =>
        db.prepare("SELECT base_url FROM connection WHERE id = ?").pluck().get(connectionId),
      );
    } catch {
      return undefined;
    }
  });
  return [...new Set(found.filter((address) => typeof address === "string"))];
}

/** Returns all backups of the file, newest first. */
export function backupsOf(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(
      (name) => name.startsWith(`${basename(path)}.backup`) && !/\.unfinished|-(wal|shm|journal|lock)$/.test(name),
    )
    .map((name) => join(folder, name))
    .map((path) => ({ path, ms: madeMs(path) }))
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ path }) => path);
}

/** Returns the time at which a backup was made; of one that does not tell, when the file was changed; 0 without a file. */
export function madeMs(backup: string): UtcMs {
  const changedMs = statSync(backup, { throwIfNoEntry: false })?.mtimeMs;
  if (changedMs === undefined) return 0;
  try {
    return withDatabase(openInMemory(backup, APPLICATION_ID.user), (db) =>
      Number(settingTable(db).get(MADE_MS) ?? changedMs),
    );
  } catch {
    return changedMs;
  }
}

/** Returns the newest backup of the file, or null. */
export function newestBackup(path: string): string | null {
  return backupsOf(path)[0] ?? null;
}
