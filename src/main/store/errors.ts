import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "#shared/fault.ts";

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

/** The first that fits: locks, memory and interruptions pass, and are never taken for damage. */
const SENTENCES: readonly (readonly [prefix: string, kind: StoreErrorKind, sentence: string])[] = [
  ["SQLITE_NOMEM", "busy", "This computer has too little free memory: close other programs, then try again."],
  ["SQLITE_IOERR_NOMEM", "busy", "This computer has too little free memory: close other programs, then try again."],
  ["SQLITE_INTERRUPT", "busy", "The work on this file was interrupted: try again."],
  [
    "SQLITE_PROTOCOL",
    "busy",
    "Other programs use this file so much that it could not be locked: try again in a moment.",
  ],
  ["SQLITE_FULL", "full", "The disk is full: free some space, then try again. Nothing that was stored is lost."],
  ["SQLITE_READONLY", "readOnly", "The file may not be written: check the permissions of the file and its folder."],
  ["SQLITE_CANTOPEN", "cannotOpen", "The file cannot be opened: check that its folder exists and may be used."],
  ["SQLITE_PERM", "cannotOpen", "The file cannot be opened: its permissions do not allow it."],
  ["SQLITE_BUSY", "busy", "Another program keeps the file locked: close it, or try again in a moment."],
  ["SQLITE_LOCKED", "busy", "Another program keeps the file locked: close it, or try again in a moment."],
  ["SQLITE_CORRUPT", "corrupt", "The file is damaged."],
  ["SQLITE_NOTADB", "corrupt", "The file is damaged: it does not begin like a database."],
  ["SQLITE_IOERR_CORRUPTFS", "corrupt", "The file is damaged."],
  ["EISDIR", "cannotOpen", "This is a folder, and no file."],
  ["ENAMETOOLONG", "cannotOpen", "The name or the path is longer than this disk takes: choose a shorter one."],
  ["EFBIG", "full", "The file is larger than this disk allows. Nothing that was stored is lost."],
  ["SQLITE_IOERR", "io", "The disk reported an error while the file was read or written: check the disk."],
];

const SYSTEM: Readonly<Record<string, string>> = {
  ENOSPC: "SQLITE_FULL",
  EDQUOT: "SQLITE_FULL",
  EROFS: "SQLITE_READONLY",
  EACCES: "SQLITE_CANTOPEN",
  EPERM: "SQLITE_CANTOPEN",
  ENOENT: "SQLITE_CANTOPEN",
  ENOTDIR: "SQLITE_CANTOPEN",
  EEXIST: "SQLITE_CANTOPEN",
  ELOOP: "SQLITE_CANTOPEN",
  ENXIO: "SQLITE_CANTOPEN",
  EINVAL: "SQLITE_IOERR",
  EBUSY: "SQLITE_BUSY",
  ETXTBSY: "SQLITE_BUSY",
  EAGAIN: "SQLITE_IOERR",
  EINTR: "SQLITE_IOERR",
  ENOMEM: "SQLITE_NOMEM",
  ENOLCK: "SQLITE_IOERR",
  ESTALE: "SQLITE_IOERR",
  EMFILE: "SQLITE_CANTOPEN",
  ENFILE: "SQLITE_CANTOPEN",
  EIO: "SQLITE_IOERR",
};

/** SQLite cannot work with less, for its index of a write-ahead log. */
const LEAST_BYTES = 65_536;

/** Whether SQLite failed because the disk is full: if its logs cannot be created or grown, it only reports an I/O error. */
function isOutOfSpace(path: string, code: string): boolean {
  if (!/^SQLITE_(IOERR|CANTOPEN)/.test(code) || code === "SQLITE_IOERR_CORRUPTFS") return false;
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

/** Converts anything that SQLite, the file system or a decoder threw. */
export function toStoreError(path: string, thrown: unknown): StoreError {
  if (thrown instanceof StoreError) return thrown;
  if (thrown instanceof DamagedData) return new StoreError("corrupt", path, `${path}: The file is damaged.`, thrown);
  const code = codeOf(thrown);
  const name = isOutOfSpace(path, code) ? "SQLITE_FULL" : (SYSTEM[code] ?? code);
  const known = SENTENCES.find(([prefix]) => name === prefix || name.startsWith(`${prefix}_`));
  if (known) return new StoreError(known[1], path, `${path}: ${known[2]}`, thrown);
  return new StoreError("internal", path, `${path}: The store failed: ${String(thrown)}`, thrown);
}
