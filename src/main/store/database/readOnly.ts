import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import Database from "better-sqlite3";
import { busy, DamagedData, StoreError, toStoreError } from "../errors.ts";
import { APPLICATION_ID, type Db, closedOnFailure, sizeOf } from "./database.ts";

// SQLite creates files beside a database with a write-ahead log even to read it, except with `immutable=1` in a URI. The
// library reads this once, when it is loaded; a thread has a copy of the environment, so its process has to set it.
process.env["SQLITE_USE_URI"] = "1";

/** A file that was opened. */
export interface Opened {
  readonly db: Db;
  /** Why it can only be read; null if it can be changed. */
  readonly refusal: StoreError | null;
  /**
   * To be called after reading: without locks, what was read while another program wrote to the file proves nothing.
   *
   * @throws StoreError `busy` if the file has changed since it was opened for reading
   */
  assertUnchanged(): void;
}

/**
 * Opens a file; if it, its folder or its disk is read-only, or its disk is full, for reading.
 *
 * @param open opens it for reading and writing
 * @throws what `open` throws, and as `openImmutable`
 */
export function openOrRead(path: string, applicationId: number, open: () => Db): Opened {
  const writable = (): Opened => ({ db: open(), refusal: null, assertUnchanged() {} });
  if (!existsSync(path)) return writable();
  const isReadOnly = !mayWrite(path) || !mayWrite(dirname(path));
  if (!isReadOnly) {
    try {
      return writable();
    } catch (thrown) {
      if (toStoreError(path, thrown).kind !== "full") throw thrown;
    }
  }
  const opened = stateOf(path);
  return {
    db: openReadOnly(path, applicationId),
    refusal: refusalOf(path, isReadOnly ? "readOnly" : "full"),
    assertUnchanged() {
      if (stateOf(path) === opened) return;
      throw busy(path, "Another program has changed this file while it was read. Start again.");
    },
  };
}

/** The state of a file and its log. */
function stateOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, sizeOf(`${path}-wal`)].join();
}

/** Opens a cache beside its other users, or where nothing can be written. @throws as `openReadOnly` */
export function openReader(path: string): Db {
  const open = (): Db => new Database(path, { readonly: true, fileMustExist: true });
  return openOrRead(path, APPLICATION_ID.cache, () => closedOnFailure(open(), demandPages)).db;
}

/** SQLite opens a file only when it is first read. */
function demandPages(db: Db): Db {
  db.prepare("SELECT 1 FROM sqlite_schema").get();
  return db;
}

/** Opens a file for reading, also where nothing can be written. @throws StoreError, and what SQLite throws */
function openReadOnly(path: string, applicationId: number): Db {
  if (sizeOf(`${path}-wal`) === 0) return openImmutable(path, applicationId);
  try {
    return checked(new Database(path, { readonly: true }), path, applicationId);
  } catch (thrown) {
    if (toStoreError(path, thrown).kind === "foreign") throw thrown;
    const sentence =
      `${path}: Its last changes are still in ${path}-wal, which cannot be read where nothing can be written. Copy both ` +
      "files to another disk, or make this one writable.";
    throw new StoreError("cannotOpen", path, sentence, thrown);
  }
}

/** Opens a file that nobody changes, without its log, locks, or any file beside it. @throws DamagedData, StoreError, and what SQLite throws */
export function openImmutable(path: string, applicationId: number): Db {
  // A missing file has another message.
  if (statSync(path).size === 0) throw new DamagedData("an empty file");
  return checked(new Database(immutable(path), { readonly: true }), path, applicationId);
}

/** The URI of a file that nobody changes. Node.js writes network shares of Windows as hosts, which SQLite refuses. */
function immutable(path: string): string {
  const slashed = resolve(path).replaceAll(sep, "/");
  const start = slashed.startsWith("/") ? "file://" : "file:///";
  return `${start}${slashed.split("/").map(encodeURIComponent).join("/")}?immutable=1`;
}

function checked(opened: Db, path: string, applicationId: number): Db {
  return closedOnFailure(opened, (db) => {
    if (db.pragma("application_id", { simple: true }) !== applicationId)
      throw new StoreError("foreign", path, `${path}: This file belongs to another program; it was left as it is.`);
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    db.pragma("cache_size = -16000");
    return db;
  });
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function refusalOf(path: string, why: "readOnly" | "full"): StoreError {
  const reason =
    why === "full"
      ? `The disk of ${dirname(path)} is full. Cached data can be viewed and exported; nothing can be fetched or changed. Free at least 1 MB on it, then start again.`
      : `${dirname(path)} or its disk is read-only. Cached data can be viewed and exported; nothing can be fetched or changed.`;
  return new StoreError(why, path, `${path}: ${reason}`);
}
