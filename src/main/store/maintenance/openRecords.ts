import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isAlive } from "#formats/owner.ts";
import type { Db } from "../database/database.ts";

/**
 * Tokens of the caches that this process has open. Its process id is not enough: a dead process may have had the same.
 */
const ours = new Set<string>();

interface OpeningRow {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

const OPENINGS = "SELECT token, pid, host FROM opening";

/** A row in the file from the first write until the close. It distinguishes a clean close from a kill. */
export interface OpenRecord {
  /** Must be called before the first write; later calls do nothing. */
  write(): void;
  /** Must be called after the last write. */
  remove(): void;
}

/** Records of processes that ended without closing the file. */
export interface StaleOpenings {
  readonly isNone: boolean;
  /** Must be called after the file was checked. */
  forget(): void;
}

export function staleOpenings(db: Db): StaleOpenings {
  const dead = db
    .prepare<[], OpeningRow>(OPENINGS)
    .all()
    .filter((row) => !isLive(row));
  const deleteRecord = db.prepare<[string]>("DELETE FROM opening WHERE token = ?");
  return {
    isNone: dead.length === 0,
    forget() {
      for (const { token } of dead) deleteRecord.run(token);
    },
  };
}

export function createOpenRecord(db: Db): OpenRecord {
  const token = randomUUID();
  let isWritten = false;
  return {
    write() {
      if (isWritten) return;
      ours.add(token);
      db.prepare("INSERT INTO opening VALUES (?, ?, ?)").run(token, process.pid, hostname());
      isWritten = true;
      // Write it to the file itself: even if the log is lost, the file must be checked.
      db.pragma("wal_checkpoint(PASSIVE)");
    },
    remove() {
      if (isWritten) db.prepare("DELETE FROM opening WHERE token = ?").run(token);
      ours.delete(token);
    },
  };
}

function isLive({ token, pid, host }: OpeningRow): boolean {
  return host === hostname() && (pid === process.pid ? ours.has(token) : isAlive(pid));
}
