import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { log } from "../../log/index.ts";
import { APPLICATION_ID, BUSY_WAIT_MS, closedOnFailure, type Db, foreignCommitsOf } from "../database/database.ts";
import { type FileForm, openForm } from "../database/form.ts";
import { isBroken, toStoreError } from "../errors.ts";
import { codeOf } from "#shared/fault.ts";
import { isAlive } from "#formats/owner.ts";

/**
 * Records which downloads the processes of a data folder are running, so that the command line and a window never
 * download the same data twice.
 *
 * A claim is a lease: it ends with its process, or 10 s after its last renewal where the process cannot be checked. Leases
 * are used here, and system locks (`fileLock.ts`) for files and folders, because the two protect different things. A lock
 * must hold for as long as its process lives, or a file in use could be deleted. A claim must not: a process that hangs or
 * is suspended would block the downloads of all others, and a lost claim costs at most the requests that were under way:
 * the others are planned again (`HeldClaim.isHeld`). Claims also have content, which other processes read to find out what
 * is still free.
 */
export interface ClaimStore {
  /**
   * Claims something of a connection, unless a claim of another process is in its way.
   *
   * @param isFree receives the claims of the other processes
   * @returns null if it is not free
   */
  take(connectionId: string, claim: string, isFree: (others: readonly string[]) => boolean): HeldClaim | null;
  /**
   * Registers that this process has a file open, so that error messages of other processes can name it.
   *
   * @param program for example "the command line"
   * @returns a function that ends the registration
   */
  registerUse(path: string, program: string): () => void;
  /** Returns the other processes that have a file open, for example "the command line (process 12)". */
  otherUsersOf(path: string): readonly string[];
  /** Returns a number that changes when another process takes or releases a claim. */
  version(): number;
  close(): void;
}

/** A claim that was taken. */
export interface HeldClaim {
  release(): void;
  /** Whether no other process may have taken it: a lease that ended while this process was suspended is lost. */
  isHeld(): boolean;
}

const CLAIMS: FileForm = {
  applicationId: APPLICATION_ID.claims,
  sql: `
CREATE TABLE claim (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, connection_id TEXT NOT NULL, content TEXT NOT NULL, until_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX claim_of_connection ON claim (connection_id);
CREATE TABLE guest (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, path TEXT NOT NULL, who TEXT NOT NULL
) STRICT;
`,
};
/** Longer than any work that delays the timers of a process. */
const LEASE_MS = 10_000;
const RENEW_MS = 2_000;
/** Every renewal grows the write-ahead log; after this many pages (1 MB) it is written to the file and restarted. */
const LOG_PAGES = 128;
const LOG_BYTES = 1_048_576;

/**
 * Opens the claim store. A missing or damaged file is created again, because no claim outlives its process. Any other file
 * is left unchanged: another process may hold claims in it.
 *
 * @param isOnlyOwner whether this process has no other claim store open: claims with its process id are stale then
 * @param busyWaitMs how long to wait for another process that has the file locked
 * @throws StoreError if the file is locked, cannot be used, or is of a newer version or another program
 */
export function openClaimStore(path: string, isOnlyOwner = false, busyWaitMs = BUSY_WAIT_MS): ClaimStore {
  try {
    return open(path, isOnlyOwner, busyWaitMs);
  } catch (thrown) {
    if (!isDamage(thrown)) throw toStoreError(path, thrown);
    log.warn(`${path}: damaged, created again`, thrown);
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    return open(path, isOnlyOwner, busyWaitMs);
  }
}

function open(path: string, isOnlyOwner: boolean, busyWaitMs: number): ClaimStore {
  return closedOnFailure(openForm(path, CLAIMS, busyWaitMs), (db) => {
    // Claims need not survive a power failure, so no write waits for the disk.
    db.pragma("synchronous = OFF");
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    db.pragma(`journal_size_limit = ${LOG_BYTES}`);
    return createClaimStore(db, isOnlyOwner);
  });
}

/** Whether pages are damaged, or tables differ from those of the file's version. */
function isDamage(thrown: unknown): boolean {
  return isBroken(thrown) || codeOf(thrown) === "SQLITE_ERROR";
}

/**
 * Runs a statement and ignores its failure: a full disk or a locked file must not stop downloads. At worst, something is
 * downloaded twice.
 *
 * @returns whether it succeeded
 */
function attempt(statement: () => unknown): boolean {
  try {
    statement();
    return true;
  } catch {
    return false;
  }
}

function createClaimStore(db: Db, isOnlyOwner: boolean): ClaimStore {
  const owner = randomUUID();
  if (isOnlyOwner) {
    for (const table of ["claim", "guest"]) db.prepare<[number]>(`DELETE FROM ${table} WHERE pid = ?`).run(process.pid);
  }
  const selectOtherClaims = db.prepare<[string, string, number], { readonly content: string; readonly pid: number }>(
    "SELECT content, pid FROM claim WHERE connection_id = ? AND owner <> ? AND until_ms > ?",
  );
  const insertClaim = db.prepare<[string, number, string, string, number]>(
    "INSERT INTO claim (owner, pid, connection_id, content, until_ms) VALUES (?, ?, ?, ?, ?)",
  );
  const deleteClaim = db.prepare<[number | bigint]>("DELETE FROM claim WHERE id = ?");
  const selectClaim = db.prepare<[number | bigint], number>("SELECT 1 FROM claim WHERE id = ?").pluck();
  const deleteOwnClaims = db.prepare<[string]>("DELETE FROM claim WHERE owner = ?");
  const deleteExpired = db.prepare<[number]>("DELETE FROM claim WHERE until_ms <= ?");
  const renew = db.prepare<[number, string]>("UPDATE claim SET until_ms = ? WHERE owner = ?");
  const selectUses = db.prepare<[], { readonly id: number; readonly pid: number }>("SELECT id, pid FROM guest");
  const selectOtherUsers = db.prepare<[string, string], { readonly pid: number; readonly who: string }>(
    "SELECT DISTINCT pid, who FROM guest WHERE path = ? AND owner <> ? ORDER BY pid",
  );
  const insertUse = db.prepare<[string, number, string, string]>(
    "INSERT INTO guest (owner, pid, path, who) VALUES (?, ?, ?, ?)",
  );
  const deleteUse = db.prepare<[number | bigint]>("DELETE FROM guest WHERE id = ?");
  const deleteOwnUses = db.prepare<[string]>("DELETE FROM guest WHERE owner = ?");
  let claimCount = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const insertIfFree = db.transaction(
    (connectionId: string, claim: string, isFree: (others: readonly string[]) => boolean): number | bigint | null => {
      const nowMs = Date.now();
      const others = selectOtherClaims.all(connectionId, owner, nowMs).filter(({ pid }) => isAlive(pid));
      if (!isFree(others.map(({ content }) => content))) return null;
      deleteExpired.run(nowMs);
      return insertClaim.run(owner, process.pid, connectionId, claim, nowMs + LEASE_MS).lastInsertRowid;
    },
  );

  function keepRenewing(): void {
    timer ??= setInterval(() => {
      if (claimCount > 0) attempt(() => renew.run(Date.now() + LEASE_MS, owner));
    }, RENEW_MS).unref();
  }

  return {
    take(connectionId, claim, isFree) {
      let id: number | bigint | null = null;
      const hasAnswer = attempt(() => (id = insertIfFree.immediate(connectionId, claim, isFree)));
      if (hasAnswer && id === null) return null;
      claimCount++;
      keepRenewing();
      return {
        release() {
          claimCount--;
          attempt(() => id !== null && deleteClaim.run(id));
        },
        isHeld() {
          let isThere = true;
          // Taking a claim deletes expired ones. Until then, the next renewal extends this one.
          attempt(() => (isThere = id === null || selectClaim.get(id) !== undefined));
          return isThere;
        },
      };
    },
    registerUse(path, program) {
      let id: number | bigint | null = null;
      attempt(() => {
        for (const use of selectUses.all()) if (!isAlive(use.pid)) deleteUse.run(use.id);
        id = insertUse.run(owner, process.pid, path, program).lastInsertRowid;
      });
      return () => void attempt(() => id !== null && deleteUse.run(id));
    },
    otherUsersOf(path) {
      let users: string[] = [];
      attempt(() => {
        const living = selectOtherUsers.all(path, owner).filter(({ pid }) => isAlive(pid));
        users = living.map(({ pid, who }) => `${who} (process ${pid})`);
      });
      return users;
    },
    version: foreignCommitsOf(db),
    close() {
      clearInterval(timer);
      attempt(() => deleteOwnClaims.run(owner));
      attempt(() => deleteOwnUses.run(owner));
      db.close();
    },
  };
}
