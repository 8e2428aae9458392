import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { log } from "../../log/index.ts";
import { APPLICATION_ID, BUSY_WAIT_MS, type Db, migrate, openDatabase } from "../database/database.ts";
import { isBroken, toStoreError } from "../errors.ts";
import { codeOf } from "#shared/thrown.ts";
import { isAlive } from "#formats/owner.ts";

/**
 * What the processes that share a data folder are bringing right now, so that the command line beside a window does not
 * download what the window does. A claim is a lease: it is void when its process is gone, and where that cannot be told,
 * soon after it is renewed no more.
 */
export interface ClaimStore {
  /**
   * Takes something of a connection, unless another process has what is in its way.
   *
   * @param isFree told what other processes have taken
   * @returns gives it back; null where it is not free
   */
  take(connectionId: string, claim: string, isFree: (others: readonly string[]) => boolean): (() => void) | null;
  /**
   * Notes that this process has a file open, so that others can say who.
   *
   * @param who as "the command line"
   * @returns ends it
   */
  enter(path: string, who: string): () => void;
  /** Who else has a file open, as "the command line (process 12)". */
  othersAt(path: string): readonly string[];
  /** Another number after another process has taken or given back something. */
  version(): number;
  close(): void;
}

const CLAIMS = `
CREATE TABLE claim (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, connection_id TEXT NOT NULL, content TEXT NOT NULL, until_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX claim_of_connection ON claim (connection_id);
`;
const GUESTS = `
CREATE TABLE guest (
  id INTEGER PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, path TEXT NOT NULL, who TEXT NOT NULL
) STRICT;
`;
/** Longer than anything that keeps a process from its timers. */
const LEASE_MS = 10_000;
const RENEW_MS = 2_000;
/** Every renewal is logged: after so many pages (a megabyte) the log goes into the file, and begins anew. */
const LOG_PAGES = 128;
const LOG_BYTES = 1_048_576;

/**
 * Opens the claim store. A missing or damaged one is created anew: no claim outlives its process. Any other file is left
 * as it is, for another process may hold its claims in it.
 *
 * @param isOnlyOwner whether this process has no other claim store open: claims of its id are of a process that died
 * @param busyWaitMs how long another process that keeps the file locked is waited for
 * @throws StoreError where the file is busy, may not be used, is of a newer version or of another program
 */
export function openClaimStore(path: string, isOnlyOwner = false, busyWaitMs = BUSY_WAIT_MS): ClaimStore {
  try {
    return open(path, isOnlyOwner, busyWaitMs);
  } catch (thrown) {
    if (!isDamage(thrown)) throw toStoreError(path, thrown);
    log.warn(`${path}: damaged, created anew`, thrown);
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    return open(path, isOnlyOwner, busyWaitMs);
  }
}

function open(path: string, isOnlyOwner: boolean, busyWaitMs: number): ClaimStore {
  const db = openDatabase(path, APPLICATION_ID.claims, busyWaitMs);
  try {
    // No claim has to outlive a power failure: nothing waits for the disk.
    db.pragma("synchronous = OFF");
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    db.pragma(`journal_size_limit = ${LOG_BYTES}`);
    migrate(db, [CLAIMS, GUESTS], APPLICATION_ID.claims);
    return boardOf(db, isOnlyOwner);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** Damaged pages, or tables that are not those of its version. */
function isDamage(thrown: unknown): boolean {
  return isBroken(thrown) || codeOf(thrown) === "SQLITE_ERROR";
}

/**
 * A board that cannot be written, for the disk is full or another process holds it, keeps nobody from working: at worst
 * something is downloaded twice.
 *
 * @returns whether it went well
 */
function attempt(write: () => unknown): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}

function boardOf(db: Db, isOnlyOwner: boolean): ClaimStore {
  const owner = randomUUID();
  if (isOnlyOwner) {
    for (const table of ["claim", "guest"]) db.prepare<[number]>(`DELETE FROM ${table} WHERE pid = ?`).run(process.pid);
  }
  const others = db.prepare<[string, string, number], { readonly content: string; readonly pid: number }>(
    "SELECT content, pid FROM claim WHERE connection_id = ? AND owner <> ? AND until_ms > ?",
  );
  const put = db.prepare<[string, number, string, string, number]>(
    "INSERT INTO claim (owner, pid, connection_id, content, until_ms) VALUES (?, ?, ?, ?, ?)",
  );
  const drop = db.prepare<[number | bigint]>("DELETE FROM claim WHERE id = ?");
  const dropOwn = db.prepare<[string]>("DELETE FROM claim WHERE owner = ?");
  const dropOld = db.prepare<[number]>("DELETE FROM claim WHERE until_ms <= ?");
  const renew = db.prepare<[number, string]>("UPDATE claim SET until_ms = ? WHERE owner = ?");
  const guests = db.prepare<[], { readonly id: number; readonly pid: number }>("SELECT id, pid FROM guest");
  const guestsAt = db.prepare<[string, string], { readonly pid: number; readonly who: string }>(
    "SELECT DISTINCT pid, who FROM guest WHERE path = ? AND owner <> ? ORDER BY pid",
  );
  const comes = db.prepare<[string, number, string, string]>(
    "INSERT INTO guest (owner, pid, path, who) VALUES (?, ?, ?, ?)",
  );
  const goes = db.prepare<[number | bigint]>("DELETE FROM guest WHERE id = ?");
  const dropGuests = db.prepare<[string]>("DELETE FROM guest WHERE owner = ?");
  const dataVersion = db.prepare<[], number>("PRAGMA data_version").pluck();
  let held = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const tryTake = db.transaction(
    (connectionId: string, claim: string, isFree: (others: readonly string[]) => boolean): number | bigint | null => {
      const nowMs = Date.now();
      const living = others.all(connectionId, owner, nowMs).filter(({ pid }) => isAlive(pid));
      if (!isFree(living.map(({ content }) => content))) return null;
      dropOld.run(nowMs);
      return put.run(owner, process.pid, connectionId, claim, nowMs + LEASE_MS).lastInsertRowid;
    },
  );

  function keepRenewing(): void {
    timer ??= setInterval(() => {
      if (held > 0) attempt(() => renew.run(Date.now() + LEASE_MS, owner));
    }, RENEW_MS).unref();
  }

  return {
    take(connectionId, claim, isFree) {
      let id: number | bigint | null = null;
      const isTaken = attempt(() => (id = tryTake.immediate(connectionId, claim, isFree)));
      if (isTaken && id === null) return null;
      held++;
      keepRenewing();
      return () => {
        held--;
        if (id !== null) attempt(() => drop.run(id!));
      };
    },
    enter(path, who) {
      let id: number | bigint | null = null;
      attempt(() => {
        for (const guest of guests.all()) if (!isAlive(guest.pid)) goes.run(guest.id);
        id = comes.run(owner, process.pid, path, who).lastInsertRowid;
      });
      return () => void (id !== null && attempt(() => goes.run(id!)));
    },
    othersAt(path) {
      let found: string[] = [];
      attempt(() => {
        const living = guestsAt.all(path, owner).filter(({ pid }) => isAlive(pid));
        found = living.map(({ pid, who }) => `${who} (process ${pid})`);
      });
      return found;
    },
    version: () => dataVersion.get() ?? 0,
    close() {
      clearInterval(timer);
      attempt(() => dropOwn.run(owner));
      attempt(() => dropGuests.run(owner));
      db.close();
    },
  };
}
