import { count } from "#shared/text.ts";
import { readdirSync, statfsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { removeDatabase } from "../database/copy.ts";
import { checkPages } from "./damage.ts";
import type { Db } from "../database/database.ts";
import { makePrivate } from "../database/private.ts";
import { isAlive } from "#formats/owner.ts";
import { StoreError } from "../errors.ts";
import type { ThreadPace } from "./thread/messages.ts";

/** Pages of one step; between two of them it can be stopped. */
const PAGES_A_STEP = 500;
/** How long the end waits for readers, and for another process. */
const BUSY_WAIT_MS = 10_000;
/** Of the whole, until the dense copy is there. */
const COPIED_SHARE = 0.5;

/**
 * Makes a cache file as small as what is in it: a dense copy beside it, and its pages back into the file in one
 * transaction. Whoever reads goes on; until that transaction ends the file is as it was, however this one ends. To be
 * run in a thread: most of it is in a few pieces.
 *
 * @throws Stopped, StoreError where there is no room or something else writes, and whatever SQLite throws
 */
export async function compactFile(path: string, pace: ThreadPace): Promise<void> {
  const copy = denseCopyOf(path);
  removeDatabase(copy);
  const db = new Database(path, { fileMustExist: true, timeout: BUSY_WAIT_MS });
  try {
    demandRoom(path, usedBytesOf(db));
    const before = commitsOf(db);
    pace.demandGoOn();
    makePrivate(copy);
    db.prepare<[string]>("VACUUM INTO ?").run(copy);
    pace.demandGoOn();
    await putBack(copy, db, before, pace);
  } finally {
    removeDatabase(copy);
    // A log with what was put back, or with what was taken back, is as large as the file.
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
  }
}

/** How far the first half is, as the thread cannot tell itself: SQLite makes the dense copy in one piece. */
export function copiedShare(copyBytes: number, usedBytes: number): number {
  return COPIED_SHARE * Math.min(1, copyBytes / Math.max(1, usedBytes));
}

/** Where this process makes the dense copy; another one that compacts the same file has its own. */
export function denseCopyOf(path: string): string {
  return `${path}${DENSE}${process.pid}`;
}

const DENSE = ".dense-";

/** Deletes what was left when compactions were killed. */
export function removeDeadCopies(path: string): void {
  const folder = dirname(path);
  const start = basename(path) + DENSE;
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(start) ? (/^(\d+)$/.exec(name.slice(start.length)) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid))) removeDatabase(join(folder, name));
  }
}

/** What was freed, and not given back to the disk yet, is left out. */
export function usedBytesOf(db: Db): number {
  const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}

async function putBack(copy: string, db: Db, before: unknown, { onProgress, demandGoOn }: ThreadPace): Promise<void> {
  const dense = new Database(copy, { readonly: true, fileMustExist: true });
  try {
    checkPages(dense);
    const { totalPages } = await dense.backup(db.name, {
      // First called before the first page, with the file locked against other writers.
      progress({ totalPages: all, remainingPages }) {
        demandGoOn();
        if (commitsOf(db) !== before) throw busy(db.name, "was written to");
        onProgress(COPIED_SHARE + (1 - COPIED_SHARE) * (1 - remainingPages / Math.max(1, all)));
        return PAGES_A_STEP;
      },
    });
    // What could not even be locked counts no pages.
    if (totalPages === 0) throw busy(db.name, "was locked");
  } finally {
    dense.close();
  }
}

/** Changes with every commit of others to the file. */
function commitsOf(db: Db): unknown {
  return db.pragma("data_version", { simple: true });
}

function busy(path: string, why: string): StoreError {
  return new StoreError(
    "busy",
    path,
    `${path}: The cache ${why} while it was compacted, perhaps by a download of another window or of the command line. ` +
      "It is as it was: pause the downloads, or wait for their end, then compact again.",
  );
}

/** The dense copy, and the log of the transaction that puts it back. @throws StoreError */
function demandRoom(path: string, usedBytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const [needed, free] = [2 * usedBytes, bavail * bsize];
  if (free >= needed) return;
  throw new StoreError(
    "full",
    path,
    `${path}: Compacting needs ${megabytes(needed)} on this disk for a while, twice what the cache holds, and ` +
      `${megabytes(free)} are free. Nothing was changed: free some room on the disk, then try again.`,
  );
}

function megabytes(bytes: number): string {
  return `${count(Math.ceil(bytes / 1e6))} MB`;
}
