import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { DAY_MS } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { makePrivate } from "../database/private.ts";

/**
 * A whole copy of the file as it is now, under its final name only when it is complete. An older copy of that name is
 * replaced.
 */
export function backupTo(db: Db, target: string): void {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { force: true });
  makePrivate(unfinished);
  db.prepare("VACUUM INTO ?").run(unfinished);
  const file = openSync(unfinished, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, target);
}

/** The copy before a step to another form; it is kept, because a step cannot be taken back. */
export function backupBeforeStep(db: Db, version: number): void {
  backupTo(db, `${db.name}.backup-v${version}`);
}

/** How long changes wait for one another before they are copied: of what cannot be had again, and of downloads. */
const SOON_MS = 5_000;
const LATER_MS = 600_000;

/** Copies a file after it was changed. */
export interface Backups {
  /** @param isPrecious whether it cannot be had again */
  changed(isPrecious: boolean): void;
  /** Copies now what was changed since the last time. */
  flush(): void;
}

/**
 * Two copies are kept: one of the newest state, and one of about a day before it, so that a mistake that is noticed the same
 * day is not in both. A copy that cannot be made now is made with the next change, or at the close.
 */
export function createBackups(db: Db): Backups {
  let isDue = !existsSync(newestOf(db));
  let timer: { readonly isPrecious: boolean; readonly handle: NodeJS.Timeout } | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer.handle);
    timer = null;
    if (!isDue || !db.open || db.inTransaction) return;
    try {
      turnOver(db);
      isDue = false;
    } catch {
      // A full or read-only disk must not stop what was asked for.
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

function turnOver(db: Db): void {
  const [newest, older] = [newestOf(db), `${newestOf(db)}-2`];
  const ageMs = Date.now() - changedMs(older);
  // A clock that was set back must not keep an old copy for ever.
  if (Math.abs(ageMs) > DAY_MS && existsSync(newest)) renameSync(newest, older);
  backupTo(db, newest);
}

/** Under which addresses the copies of user.db know a connection. Copies that cannot be read say nothing. */
export function addressesIn(backups: readonly string[], connectionId: string): string[] {
  const found = backups.map((path) => {
    try {
      const db = new Database(path, { readonly: true, fileMustExist: true });
      try {
        return db.prepare("SELECT base_url FROM connection WHERE id = ?").pluck().get(connectionId);
      } finally {
        db.close();
      }
    } catch {
      return undefined;
    }
  });
  return [...new Set(found.filter((address) => typeof address === "string"))];
}

/** All copies of the file, the newest first. */
export function backupsOf(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(
      (name) => name.startsWith(`${basename(path)}.backup`) && !/\.unfinished|-(wal|shm|journal|lock)$/.test(name),
    )
    .map((name) => join(folder, name))
    .toSorted((a, b) => changedMs(b) - changedMs(a));
}

function changedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The newest copy of the file; null where there is none. */
export function newestBackup(path: string): string | null {
  return backupsOf(path)[0] ?? null;
}
