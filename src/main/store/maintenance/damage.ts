import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync, readdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { isAlive } from "#formats/owner.ts";
import { basename, dirname, join } from "node:path";
import type { QuarantinedFile } from "#shared/bridge/methods/cache.ts";
import { removeDatabase } from "../database/copy.ts";
import { sizeOf } from "../database/statistics.ts";

const ASIDE = /^\.damaged-[0-9TZ-]+$/;

/** Damaged files that were put aside for a cache, the newest first. */
export function quarantinedFiles(cachePath: string): readonly QuarantinedFile[] {
  const [folder, start] = [dirname(cachePath), basename(cachePath)];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && ASIDE.test(name.slice(start.length)))
    .flatMap((name) => {
      const path = join(folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile()) return [];
      return [{ name, path, bytes: found.size + sizeOf(`${path}-wal`), atMs: momentOf(name) ?? found.mtimeMs }];
    })
    .toSorted((a, b) => b.atMs - a.atMs);
}

/** @returns whether nothing is left of it */
export function deleteQuarantined({ path }: QuarantinedFile): boolean {
  return removeDatabase(path);
}

/** The moment that `quarantine` wrote into the name. */
function momentOf(name: string): number | null {
  const [, day, hour, minute, second, ms] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/.exec(name) ?? [];
  const moment = Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
  return Number.isNaN(moment) ? null : moment;
}

/** Tokens of the caches that this very process has open: its own number says nothing, a dead one may have had it too. */
const ours = new Set<string>();

interface OpeningRow {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

const OPENINGS = "SELECT token, pid, host FROM opening";

/** Tells a clean end from a kill: a row in the file from the first write to the close. */
export interface Opening {
  /** Before the first write; later calls cost nothing. */
  announce(): void;
  /** After the last write. */
  withdraw(): void;
}

/** Openings of processes that ended without closing the file. */
export interface Abandoned {
  readonly isNone: boolean;
  /** Once the file was checked. */
  forget(): void;
}

export function abandonedOpenings(db: Db): Abandoned {
  const dead = db
    .prepare<[], OpeningRow>(OPENINGS)
    .all()
    .filter((row) => !isLive(row));
  const drop = db.prepare<[string]>("DELETE FROM opening WHERE token = ?");
  return {
    isNone: dead.length === 0,
    forget() {
      for (const { token } of dead) drop.run(token);
    },
  };
}

/** What is wrong with the pages of a file; null where nothing is. */
export function structureOf(db: Db): string | null {
  const found = String(db.pragma("quick_check(1)", { simple: true }));
  return found === "ok" ? null : found;
}

/** @throws DamagedData */
export function checkPages(db: Db): void {
  const found = structureOf(db);
  if (found !== null) throw new DamagedData(found);
}

export function opening(db: Db): Opening {
  const token = randomUUID();
  let announced = false;
  return {
    announce() {
      if (announced) return;
      ours.add(token);
      db.prepare("INSERT INTO opening VALUES (?, ?, ?)").run(token, process.pid, hostname());
      announced = true;
      // Into the file itself: where the log gets lost, the file still tells that it has to be checked.
      db.pragma("wal_checkpoint(PASSIVE)");
    },
    withdraw() {
      if (announced) db.prepare("DELETE FROM opening WHERE token = ?").run(token);
      ours.delete(token);
    },
  };
}

function isLive({ token, pid, host }: OpeningRow): boolean {
  return host === hostname() && (pid === process.pid ? ours.has(token) : isAlive(pid));
}

/** Remembers beside the file that it is damaged, because the file itself cannot be trusted with it. */
export function markDamaged(path: string, reason: string): void {
  try {
    writeFileSync(markOf(path), `${reason}\n`, { mode: 0o600 });
  } catch {
    // Where even that fails, the next reader finds the damage anew.
  }
}

export function isMarkedDamaged(path: string): boolean {
  return existsSync(markOf(path));
}

/** The file is whole, or lies elsewhere. */
export function clearMark(path: string): void {
  try {
    rmSync(markOf(path), { force: true });
  } catch {
    // A mark that cannot be removed costs another look at the next opening, and nothing else.
  }
}

/** Puts a damaged file with its log aside. Returns where it lies now. */
export function quarantine(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  let aside = `${path}.damaged-${stamp}`;
  for (let n = 2; existsSync(aside); n++) aside = `${path}.damaged-${stamp}-${n}`;
  renameSync(path, aside);
  for (const suffix of ["-wal", "-shm"]) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  clearMark(path);
  return aside;
}

function markOf(path: string): string {
  return `${path}-damaged`;
}
