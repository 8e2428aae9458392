import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { attempt, codeOf } from "#shared/fault.ts";

/**
 * The kind of a store error. `message` is a sentence for the user, `cause` the original error.
 *
 * | kind | meaning |
 * |---|---|
 * | full | the disk is full |
 * | io | the disk or its file system failed |
 * | readOnly | the file or its folder is not writable |
 * | cannotOpen | the file or its folder cannot be opened |
 * | busy | another program has the file locked, or memory is short: it helps to try again |
 * | corrupt | the file is damaged |
 * | newer | the file was written by a newer version of this program |
 * | foreign | the file is a database of another program |
 * | internal | anything else: an error of this program |
 */
export type StoreErrorKind =
  | "full"
  | "io"
  | "readOnly"
  | "cannotOpen"
  | "busy"
  | "corrupt"
  | "newer"
  | "foreign"
  | "internal";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly kind: StoreErrorKind;
  readonly path: string;

  constructor(kind: StoreErrorKind, path: string, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.path = path;
  }
}

export function busy(path: string, sentence: string): StoreError {
  return new StoreError("busy", path, `${path}: ${sentence}`);
}

/**
 * A stored value that cannot be decoded or does not match its checksum. `toStoreError` turns it into a `StoreError`.
 */
export class DamagedData extends Error {
  override readonly name = "DamagedData";
}

/** Work was stopped before its end. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** Returns whether an error means that a file is damaged. */
export function isBroken(thrown: unknown): boolean {
  return toStoreError("", thrown).kind === "corrupt";
}

/**
 * Codes of SQLite, which may have an addition such as `_SNAPSHOT`, and of the system. The first that fits: locks, memory and
 * interruptions pass, and are never taken for damage.
 */
const ERRORS: readonly (readonly [codes: string, kind: StoreErrorKind, sentence: string])[] = [
  [
    "SQLITE_NOMEM SQLITE_IOERR_NOMEM ENOMEM",
    "busy",
    "This computer has too little free memory: close other programs, then try again.",
  ],
  ["SQLITE_INTERRUPT", "busy", "The work on this file was interrupted: try again."],
  [
    "SQLITE_PROTOCOL",
    "busy",
    "Other programs use this file so much that it could not be locked: try again in a moment.",
  ],
  [
    "SQLITE_FULL ENOSPC EDQUOT",
    "full",
    "The disk is full: free some space, then try again. Nothing that was stored is lost.",
  ],
  [
    "SQLITE_READONLY EROFS",
    "readOnly",
    "The file may not be written: check the permissions of the file and its folder.",
  ],
  [
    "SQLITE_CANTOPEN EACCES EPERM ENOENT ENOTDIR EEXIST ELOOP ENXIO EMFILE ENFILE",
    "cannotOpen",
    "The file cannot be opened: check that its folder exists and may be used.",
  ],
  ["SQLITE_PERM", "cannotOpen", "The file cannot be opened: its permissions do not allow it."],
  [
    "SQLITE_BUSY SQLITE_LOCKED EBUSY ETXTBSY",
    "busy",
    "Another program keeps the file locked: close it, or try again in a moment.",
  ],
  ["SQLITE_CORRUPT SQLITE_IOERR_CORRUPTFS", "corrupt", "The file is damaged."],
  ["SQLITE_NOTADB", "corrupt", "The file is damaged: it does not begin like a database."],
  ["EISDIR", "cannotOpen", "This is a folder, not a file."],
  ["ENAMETOOLONG", "cannotOpen", "The name or the path is longer than this disk takes: choose a shorter one."],
  ["EFBIG", "full", "The file is larger than this disk allows. Nothing that was stored is lost."],
  [
    "SQLITE_IOERR EINVAL EAGAIN EINTR ENOLCK ESTALE EIO",
    "io",
    "The disk reported an error while the file was read or written: check the disk.",
  ],
];

/** SQLite cannot work with less, for its index of a write-ahead log. */
const LEAST_BYTES = 65_536;

/** Whether SQLite failed because the disk is full: if its logs cannot be created or grown, it only reports an I/O error. */
function isOutOfSpace(path: string, code: string): boolean {
  if (!/^SQLITE_(IOERR|CANTOPEN)/.test(code) || code === "SQLITE_IOERR_CORRUPTFS") return false;
  const disk = attempt(() => statfsSync(dirname(path)));
  return disk !== null && (disk.bavail * disk.bsize < LEAST_BYTES || (disk.files > 0 && disk.ffree === 0));
}

/** Converts anything that SQLite, the file system or a decoder threw. */
export function toStoreError(path: string, thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown;
  if (thrown instanceof DamagedData) return new StoreError("corrupt", path, `${path}: The file is damaged.`, thrown);
  const code = codeOf(thrown);
  const found = isOutOfSpace(path, code) ? "SQLITE_FULL" : code;
  for (const [codes, kind, sentence] of ERRORS)
    if (codes.split(" ").some((known) => found === known || found.startsWith(`${known}_`)))
      return new StoreError(kind, path, `${path}: ${sentence}`, thrown);
  return new StoreError("internal", path, `${path}: The store failed: ${String(thrown)}`, thrown);
}
