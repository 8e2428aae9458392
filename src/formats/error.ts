import { codeOf, messageOf } from "#shared/fault.ts";
import type { ChosenColumn, TextTable } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";

/**
 * Why a file could not be written or read.
 *
 * - cancelled: by the caller; no file is left
 * - noSpace, noPermission, noFolder, io: the disk
 * - invalid: the content cannot be written with these options
 * - tooLarge: the content exceeds a limit of the writer
 * - source: the rows could not be read, or had changed when they were read again
 * - notNetcdf, truncated, unreadable: only when reading
 * - changed: only when reading; another program has changed the file since it was opened
 * - foreign: only when reading; the file is not a file of series, such as a picture or a README
 * - undecided: only when reading; the user has to say what columns of a table mean
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
  | "unreadable"
  | "changed"
  | "foreign"
  | "undecided";

export interface FormatError {
  readonly kind: FormatErrorKind;
  /** A sentence for the user. */
  readonly message: string;
  /** The system's message, for the log. */
  readonly cause: string | null;
  /** For `undecided`: meanings of columns that answer the question. */
  readonly choices?: readonly ChosenColumn[];
  /** For the same: the columns that the question is about. */
  readonly asked?: Pick<OpenedFile, "format"> & { readonly table: TextTable };
}

/** A thrown `FormatError`, which the public functions convert to a value. */
export class FormatFailure extends Error {
  readonly error: FormatError;

  constructor(
    kind: FormatErrorKind,
    message: string,
    cause: unknown = null,
    question: Pick<FormatError, "choices" | "asked"> = {},
  ) {
    super(message);
    this.name = "FormatFailure";
    this.error = { ...question, kind, message, cause: cause === null ? null : innermostMessage(cause) };
  }
}

/** What is thrown if the content of a file cannot be read. */
export function unreadable(message: string, cause: unknown = null): FormatFailure {
  return new FormatFailure("unreadable", message, cause);
}

/** Reads a part of a file. @throws FormatFailure: as thrown, or with this message for any other error */
export async function readable<T>(message: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    throw thrown instanceof FormatFailure ? thrown : unreadable(message, thrown);
  }
}

/** What the user can do. */
const ADVICE = {
  noSpace: "Free some space, or choose another disk.",
  noPermission: "Choose another folder, or ask its owner for the permission.",
  noFolder: "Check the path, or choose another folder.",
  invalid: "Choose another name.",
  io: "Try again, or choose another folder.",
} satisfies Partial<Record<FormatErrorKind, string>>;

interface DiskFault {
  readonly kind: keyof typeof ADVICE;
  readonly sentence: string;
  /** Message of the HDF5 library, which contains the system's text but not its code. */
  readonly pattern: RegExp;
}

const DISK_FAULTS: Readonly<Record<string, DiskFault>> = {
  ENOSPC: { kind: "noSpace", sentence: "The disk is full", pattern: /no space left|errno = (28|51)\b/i },
  EDQUOT: { kind: "noSpace", sentence: "The disk quota is used up", pattern: /quota exceeded/i },
  EFBIG: { kind: "noSpace", sentence: "The file is larger than this disk allows", pattern: /file too large/i },
  EACCES: { kind: "noPermission", sentence: "Writing is not permitted here", pattern: /permission denied/i },
  EPERM: { kind: "noPermission", sentence: "Writing is not permitted here", pattern: /operation not permitted/i },
  EROFS: { kind: "noPermission", sentence: "The disk is read-only", pattern: /read-only file system/i },
  ENOENT: { kind: "noFolder", sentence: "The folder or file does not exist", pattern: /no such file or directory/i },
  ENOTDIR: { kind: "noFolder", sentence: "Part of the path is not a folder", pattern: /not a directory/i },
  EISDIR: { kind: "invalid", sentence: "This is the name of a folder", pattern: /is a directory/i },
  ENAMETOOLONG: { kind: "invalid", sentence: "The file name is too long", pattern: /file ?name too long/i },
  EMFILE: { kind: "io", sentence: "Too many files are open", pattern: /too many open files/i },
  EBUSY: { kind: "io", sentence: "Another program holds this file", pattern: /resource busy/i },
  EIO: { kind: "io", sentence: "The disk reported an error", pattern: /input\/output error|\bi\/o error/i },
};

/** The sentence about a file to read that does not exist. */
export function notThere(path: string): string {
  return `${path} does not exist. Check its folder and its name.`;
}

/** Converts an error thrown while processing the file at `path`. */
export function asFormatError(thrown: unknown, path: string): FormatError {
  if (thrown instanceof FormatFailure) return thrown.error;
  const cause = innermostMessage(thrown);
  const fault = diskFault(thrown);
  if (fault) return { kind: fault.kind, message: `${fault.sentence}: ${path}. ${ADVICE[fault.kind]}`, cause };
  return { kind: "io", message: `The file could not be processed: ${path}`, cause };
}

/** Converts an error of an export to `path`: what follows from a stop is not an error of the disk. */
export function exportError(thrown: unknown, path: string, signal: AbortSignal | undefined): FormatError {
  return asFormatError(
    signal?.aborted ? new FormatFailure("cancelled", "The export was stopped.", thrown) : thrown,
    path,
  );
}

/** Returns what an error of the disk means, as a sentence without a full stop; null for other errors. */
export function diskSentence(thrown: unknown): string | null {
  return diskFault(thrown)?.sentence ?? null;
}

function diskFault(thrown: unknown): DiskFault | undefined {
  return DISK_FAULTS[codeOf(thrown)] ?? Object.values(DISK_FAULTS).find((f) => f.pattern.test(messageOf(thrown)));
}

/** Returns the message; of the HDF5 library's error stack, only the innermost error, which contains the reason. */
function innermostMessage(thrown: unknown): string {
  const text = messageOf(thrown);
  if (!text.startsWith("HDF5-DIAG")) return text;
  const [innermost = ""] = text.slice(text.lastIndexOf("\n  #") + 1).split("\n    major");
  return innermost.replace(/^ *#\d+: .*? in /, "HDF5: ").replaceAll("\n", " ");
}

export const DAMAGED =
  "This file is damaged, or has a structure that cannot be read. Inspect it with “ncdump -h”, or create it again.";

/** Converts an error thrown while the file at `path` is opened or read. */
export function openingError(thrown: unknown, path: string): FormatError {
  if (thrown instanceof FormatFailure)
    return thrown.error.kind === "cancelled" ? { ...thrown.error, message: "Opening was stopped." } : thrown.error;
  const error = asFormatError(thrown, path);
  const code = codeOf(thrown);
  // Errors of the disk have a code; any other error is caused by the content.
  if (code === "") return { ...error, kind: "unreadable", message: DAMAGED };
  return {
    ...error,
    message: DISK_SENTENCES[code]?.(path) ?? `${path} cannot be read (${code}). Look at its disk, and open it again.`,
  };
}

const DISK_SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: notThere,
  EISDIR: (path) => `${path} is a folder. Name a file in it.`,
  EACCES: (path) => `${path} may not be read. Ask whoever owns it for the permission, and open it again.`,
  EPERM: (path) => `${path} may not be read. Ask whoever owns it for the permission, and open it again.`,
};
