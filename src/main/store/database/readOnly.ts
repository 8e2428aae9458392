import { existsSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import Database from "better-sqlite3";
import { busy, DamagedData, StoreError, toStoreError } from "../errors.ts";
import { closedOnFailure, type Db } from "./database.ts";
import { bytesOfFile } from "./statistics.ts";
import { assertForm, type FileForm, openForm } from "./form.ts";
import { assertReadable, mayWrite } from "../permission.ts";

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
 * Opens a file of a form; if it, its folder or its disk is read-only, or its disk is full, for reading.
 *
 * @param open opens it where it can be written
 * @throws as `openForm` and `openImmutable`
 */
export function openOrRead(path: string, form: FileForm, open: () => Db = () => openForm(path, form)): Opened {
  assertReadable(path);
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
  const opened = fileState(path);
  return {
    db: openReadOnly(path, form),
    refusal: refusalOf(path, isReadOnly ? "readOnly" : "full"),
    assertUnchanged() {
      if (fileState(path) === opened) return;
      throw busy(path, "Another program has changed this file while it was read. Start again.");
    },
  };
}

/** The state of a file and its log. */
function fileState(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, bytesOfFile(`${path}-wal`)].join();
}

/** Opens a file of a form for reading, beside its other users, or where nothing can be written. @throws as `openOrRead` */
export function openReader(path: string, form: FileForm): Db {
  const open = (): Db => new Database(path, { readonly: true, fileMustExist: true });
  return openOrRead(path, form, () => checked(open(), path, form)).db;
}

function openReadOnly(path: string, form: FileForm): Db {
  if (bytesOfFile(`${path}-wal`) === 0) return openImmutable(path, form);
  try {
    return checked(new Database(path, { readonly: true }), path, form);
  } catch (thrown) {
    if (["foreign", "newer", "corrupt"].includes(toStoreError(path, thrown).kind)) throw thrown;
    const sentence =
      `${path}: Its last changes are still in ${path}-wal, which cannot be read where nothing can be written. Copy both ` +
      "files to another disk, or make this one writable.";
    throw new StoreError("cannotOpen", path, sentence, thrown);
  }
}

/** Opens a file that nobody changes, without its log, locks, or any file beside it. @throws as `assertForm`, and what SQLite throws */
export function openImmutable(path: string, form: FileForm): Db {
  // A missing file has another message.
  if (statSync(path).size === 0) throw new DamagedData("an empty file");
  return checked(new Database(immutable(path), { readonly: true }), path, form);
}

/** The URI of a file that nobody changes: SQLite creates no files beside it. Node.js writes network shares of Windows as hosts, which SQLite refuses. */
function immutable(path: string): string {
  const slashed = resolve(path).replaceAll(sep, "/");
  const start = slashed.startsWith("/") ? "file://" : "file:///";
  return `${start}${slashed.split("/").map(encodeURIComponent).join("/")}?immutable=1`;
}

function checked(opened: Db, path: string, form: FileForm): Db {
  return closedOnFailure(opened, (db) => {
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    db.pragma("cache_size = -16000");
    assertForm(db, form, path);
    return db;
  });
}

function refusalOf(path: string, why: "readOnly" | "full"): StoreError {
  const reason =
    why === "full"
      ? `The disk of ${dirname(path)} is full. Cached data can be viewed and exported; nothing can be fetched or changed. Free at least 1 MB on it, then start again.`
      : `${dirname(path)} or its disk is read-only. Cached data can be viewed and exported; nothing can be fetched or changed.`;
  return new StoreError(why, path, `${path}: ${reason}`);
}
