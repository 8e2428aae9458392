import Database from "better-sqlite3";
import { rmSync } from "node:fs";
import { busy, toStoreError } from "../errors.ts";
import { makePrivate } from "../database/private.ts";

/**
 * Tells every process of this computer that a file is in use. All who open the file share the lock, from the opening to the
 * closing; whoever would move, delete, replace or thin it out holds it alone meanwhile. It is one of SQLite's locks on a
 * small file beside the other one: the system gives it up when its process ends, however it ends.
 */
export interface UseLock {
  /**
   * Keeps all others out until the returned function is called. May be held several times in one process.
   *
   * @param doing as "move the cache", for the sentence of the error
   * @throws StoreError `busy`, which names those who have the file open
   */
  alone(doing: string): () => void;
  close(): void;
}

export interface UseLockOptions {
  /** Who else has the file open, as "the command line (process 12)": for sentences alone, never for a decision. */
  readonly others?: (() => readonly string[]) | undefined;
}

/** Where the lock of a file lies. */
export function useLockOf(path: string): string {
  return `${path}-lock`;
}

/** What excludes others is often over in a moment. */
const WAIT_MS = 1_000;

/**
 * Shares the lock of a file.
 *
 * @throws StoreError `busy` where another process has it alone
 */
export function shareUse(path: string, { others = () => [] }: UseLockOptions = {}): UseLock {
  let holder = shared(path, others);
  let lone: Database.Database | null = null;
  let times = 0;
  let isClosed = false;

  function endLone(): void {
    lone?.close();
    lone = null;
    if (isClosed) return;
    try {
      holder = shared(path, others);
    } catch {
      // Another one took it in between. What it does to the file is noticed at the next commit.
    }
  }

  return {
    alone(doing) {
      if (times === 0) {
        holder?.close();
        holder = null;
        try {
          lone = exclusive(path, doing, others);
        } finally {
          if (lone === null) endLone();
        }
      }
      times++;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        if (--times === 0) endLone();
      };
    },
    close() {
      isClosed = true;
      holder?.close();
      holder = null;
      if (times === 0) lone?.close();
    },
  };
}

/**
 * Holds the lock of a file alone, without having the file open.
 *
 * @returns gives it back
 * @throws StoreError `busy`
 */
export function holdAlone(path: string, doing: string, { others = () => [] }: UseLockOptions = {}): () => void {
  const held = exclusive(path, doing, others);
  return () => void held.close();
}

/** Takes the lock file of a deleted file away. */
export function removeUseLock(path: string): void {
  try {
    rmSync(useLockOf(path), { force: true });
  } catch {
    // An empty file that stays harms nobody.
  }
}

/** @returns null where the folder may not be written: nobody who is as restricted can take the file away */
function shared(path: string, others: () => readonly string[]): Database.Database | null {
  try {
    return locked(path, "BEGIN", WAIT_MS);
  } catch (thrown) {
    if (toStoreError(path, thrown).kind !== "busy") return null;
    const [who, verb] = named(others());
    throw busy(
      path,
      `${who} ${verb} keeping this file for itself, to move, delete, check or compact it. Wait for its end, then try again.`,
    );
  }
}

function exclusive(path: string, doing: string, others: () => readonly string[]): Database.Database {
  try {
    return locked(path, "BEGIN EXCLUSIVE", 0);
  } catch (thrown) {
    const error = toStoreError(path, thrown);
    if (error.kind !== "busy") throw error;
    const [who, verb] = named(others());
    throw busy(
      path,
      `${who} ${verb} using this file. To ${doing}, close it there or wait for its end, then try again.`,
    );
  }
}

function locked(path: string, begin: string, timeout: number, isNew = false): Database.Database {
  makePrivate(useLockOf(path));
  const db = new Database(useLockOf(path), { timeout });
  try {
    // To lock an empty file alone, SQLite makes a journal: on the disk, a kill would leave it beside a file that is gone.
    db.pragma("journal_mode = MEMORY");
    db.exec(begin);
    db.prepare("SELECT 1 FROM sqlite_schema").get();
    return db;
  } catch (thrown) {
    db.close();
    // Nothing is ever written to it: what is in it came from elsewhere.
    if (isNew || toStoreError(path, thrown).kind !== "corrupt") throw thrown;
    removeUseLock(path);
    return locked(path, begin, timeout, true);
  }
}

function named(others: readonly string[]): readonly [who: string, verb: string] {
  if (others.length === 0) return ["Another program", "is"];
  const who = others.join(" and ");
  return [who.charAt(0).toUpperCase() + who.slice(1), others.length === 1 ? "is" : "are"];
}
