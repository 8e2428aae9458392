import { codeOf, messageOf } from "#shared/thrown.ts";
/**
 * Why a file could not be written or read. `message` is a sentence for the user, `cause` the words of the system for
 * the log.
 *
 * - cancelled: the caller asked to stop; nothing was left behind
 * - noSpace, noPermission, noFolder, io: the disk, in the order of how much a user can do about it
 * - invalid: this content cannot be written as asked
 * - tooLarge: the content exceeds a bound of this writer
 * - source: the rows could not be read, or were not the same when they were read again
 * - notNetcdf, truncated, unreadable: reading only
 */
export type FormatErrorKind =
  | "cancelled"
  | "noSpace"
  | "noPermission"
  | "noFolder"
  | "io"
  | "invalid"
  | "tooLarge"
  | "source"
  | "notNetcdf"
  | "truncated"
  | "unreadable";

export interface FormatError {
  readonly kind: FormatErrorKind;
  readonly message: string;
  readonly cause: string | null;
}

/** Carries a `FormatError` up through the writers; only the public functions turn it into a value. */
export class FormatFailure extends Error {
  readonly error: FormatError;

  constructor(kind: FormatErrorKind, message: string, cause: unknown = null) {
    super(message);
    this.name = "FormatFailure";
    this.error = { kind, message, cause: cause === null ? null : describe(cause) };
  }
}

interface DiskFault {
  readonly kind: FormatErrorKind;
  readonly sentence: string;
  /** How the HDF5 library words it: it keeps the system's text but not its code. */
  readonly words: RegExp;
}

const DISK_FAULTS: Readonly<Record<string, DiskFault>> = {
  ENOSPC: { kind: "noSpace", sentence: "The disk is full", words: /no space left|errno = (28|51)\b/i },
  EDQUOT: { kind: "noSpace", sentence: "The disk quota is used up", words: /quota exceeded/i },
  EFBIG: { kind: "noSpace", sentence: "The file is larger than this disk allows", words: /file too large/i },
  EACCES: { kind: "noPermission", sentence: "Writing is not permitted here", words: /permission denied/i },
  EPERM: { kind: "noPermission", sentence: "Writing is not permitted here", words: /operation not permitted/i },
  EROFS: { kind: "noPermission", sentence: "The disk is read-only", words: /read-only file system/i },
  ENOENT: { kind: "noFolder", sentence: "The folder or file does not exist", words: /no such file or directory/i },
  ENOTDIR: { kind: "noFolder", sentence: "Part of the path is not a folder", words: /not a directory/i },
  EISDIR: { kind: "invalid", sentence: "This is the name of a folder", words: /is a directory/i },
  ENAMETOOLONG: { kind: "invalid", sentence: "The file name is too long", words: /file ?name too long/i },
  EMFILE: { kind: "io", sentence: "Too many files are open", words: /too many open files/i },
  EBUSY: { kind: "io", sentence: "Another program holds this file", words: /resource busy/i },
  EIO: { kind: "io", sentence: "The disk reported an error", words: /input\/output error|\bi\/o error/i },
};

/** Turns whatever was thrown while the file at `path` was in work into a sentence with its cause. */
export function asFormatError(thrown: unknown, path: string): FormatError {
  if (thrown instanceof FormatFailure) return thrown.error;
  const cause = describe(thrown);
  const fault = DISK_FAULTS[codeOf(thrown)] ?? Object.values(DISK_FAULTS).find((f) => f.words.test(messageOf(thrown)));
  if (fault) return { kind: fault.kind, message: `${fault.sentence}: ${path}`, cause };
  return { kind: "io", message: `The file could not be processed: ${path}`, cause };
}

/** One line: of the HDF5 library's stack of errors only the innermost, which names the reason. */
function describe(thrown: unknown): string {
  const text = messageOf(thrown);
  if (!text.startsWith("HDF5-DIAG")) return text;
  const innermost = text.slice(text.lastIndexOf("\n  #") + 1).split("\n    major")[0]!;
  return innermost.replace(/^ *#\d+: .*? in /, "HDF5: ").replaceAll("\n", " ");
}
