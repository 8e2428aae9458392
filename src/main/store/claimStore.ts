import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { log } from "../log/index.ts";
import { APPLICATION_ID, BUSY_WAIT_MS, closedOnFailure, type Db, foreignCommitsOf } from "./database/database.ts";
import { type FileForm, openForm } from "./database/form.ts";
import { isBroken, toStoreError } from "./errors.ts";
import { attempt, codeOf } from "#shared/fault.ts";
import { lockFile, removeLockFile } from "./fileLock.ts";

/**
 * Records which downloads the processes of a data folder are running, so that the command line and a window never
 * download the same data twice.
 *
 * Each claim has an owner, an open claim store, which holds a system lock on a file of its own. The lock ends with its
 * process, however that ends: an owner whose lock is free is deleted with its claims. A process that hangs keeps its
 * claims until it is ended, because it may go on at any time.
 */
export type ClaimStore = ReturnType<typeof createClaimStore>;

const CLAIMS: FileForm = {
  applicationId: APPLICATION_ID.claims,
  sql: `
CREATE TABLE owner (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- Of a connection, by its id: what is being downloaded. Of a file, by its path: the program that has it open.
CREATE TABLE claim (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL REFERENCES owner ON DELETE CASCADE, claimed TEXT NOT NULL, content TEXT NOT NULL
) STRICT;
`,
};
/** The write-ahead log is written to the file and restarted after this many pages (1 MB). */
const LOG_PAGES = 128;
const LOG_BYTES = 1_048_576;

/**
 * Opens the claim store. A missing or damaged file is created again, because no claim outlives its process. Any other file
 * is left unchanged: another process may hold claims in it.
 *
 * @param busyWaitMs how long to wait for another process that has the file locked
 * @throws StoreError if the file is locked, cannot be used, or is of a newer version or another program
 */
export function openClaimStore(path: string, busyWaitMs = BUSY_WAIT_MS): ClaimStore {
  try {
    return openStore(path, busyWaitMs);
  } catch (thrown) {
    if (!isDamage(thrown)) throw toStoreError(path, thrown);
    log.warn(`${path}: damaged, created again`, thrown);
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    return openStore(path, busyWaitMs);
  }
}

function openStore(path: string, busyWaitMs: number): ClaimStore {
  return closedOnFailure(openForm(path, CLAIMS, busyWaitMs), (db) => {
    // Claims need not survive a power failure, so no write waits for the disk.
    db.pragma("synchronous = OFF");
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    db.pragma(`journal_size_limit = ${LOG_BYTES}`);
    return createClaimStore(db, path);
  });
}

/** Whether pages are damaged, or tables differ from those of the file's version. */
function isDamage(thrown: unknown): boolean {
  return isBroken(thrown) || codeOf(thrown) === "SQLITE_ERROR";
}

/** Ignores failures: a full disk or a locked file must not stop downloads. At worst, something is downloaded twice. */
function createClaimStore(db: Db, path: string) {
  const owner = randomUUID();
  const lifeOf = (who: string): string => `${path}-${who}`;
  const selectOwners = db.prepare<[string], string>("SELECT id FROM owner WHERE id <> ?").pluck();
  const insertOwner = db.prepare<[string]>("INSERT INTO owner VALUES (?)");
  const deleteOwner = db.prepare<[string]>("DELETE FROM owner WHERE id = ?");
  const selectOthers = db
    .prepare<[string, string], string>(
      "SELECT DISTINCT content FROM claim WHERE claimed = ? AND owner <> ? ORDER BY content",
    )
    .pluck();
  const insertClaim = db.prepare<[string, string, string]>(
    "INSERT INTO claim (owner, claimed, content) VALUES (?, ?, ?)",
  );
  const deleteClaim = db.prepare<[number | bigint]>("DELETE FROM claim WHERE id = ?");

  /** Deletes the rows of owners whose lock is free. */
  const forgetDead = db.transaction(() => {
    for (const other of selectOwners.all(owner)) if (removeIfFree(lifeOf(other))) deleteOwner.run(other);
  });
  const insertIfFree = db.transaction(
    (connectionId: string, claim: string, isFree: (others: readonly string[]) => boolean): number | bigint | null => {
      const isTaken = (): boolean => !isFree(selectOthers.all(connectionId, owner));
      if (isTaken()) {
        forgetDead();
        if (isTaken()) return null;
      }
      return insertClaim.run(owner, connectionId, claim).lastInsertRowid;
    },
  );

  const releaseOf = (id: number | bigint | null) => () => void attempt(() => id !== null && deleteClaim.run(id));

  const endLife = lockFile(lifeOf(owner), "claim downloads");
  attempt(() => insertOwner.run(owner));
  attempt(() => forgetDead.immediate());
  return {
    /**
     * Claims something of a connection, unless a claim of another owner is in its way.
     *
     * @param isFree receives the claims of the other owners
     * @returns its release; null if it is not free
     */
    take(connectionId: string, claim: string, isFree: (others: readonly string[]) => boolean): (() => void) | null {
      const id = attempt(() => insertIfFree.immediate(connectionId, claim, isFree) ?? "taken");
      return id === "taken" ? null : releaseOf(id);
    },
    /**
     * Registers that this process has a file open, so that error messages of other processes can name it.
     *
     * @param program for example "the command line"
     * @returns a function that ends the registration
     */
    registerUse(file: string, program: string): () => void {
      const content = `${program} (process ${process.pid})`;
      return releaseOf(attempt(() => insertClaim.run(owner, file, content).lastInsertRowid));
    },
    /** Returns the other processes that have a file open, for example "the command line (process 12)". */
    otherUsersOf(file: string): readonly string[] {
      const users = attempt(() => {
        forgetDead.immediate();
        return selectOthers.all(file, owner);
      });
      return users ?? [];
    },
    /** Returns a number that changes when another process takes or releases a claim. */
    version: foreignCommitsOf(db),
    close(): void {
      attempt(() => deleteOwner.run(owner));
      db.close();
      endLife();
      removeLockFile(lifeOf(owner));
    },
  };
}

/** Removes the lock file of an owner that no longer lives. @returns whether it did */
function removeIfFree(lock: string): boolean {
  const unlock = attempt(() => lockFile(lock, "find out whether its owner lives"));
  if (unlock === null) return false;
  unlock();
  removeLockFile(lock);
  return true;
}
