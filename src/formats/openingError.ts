import { codeOf } from "#shared/fault.ts";
import { asFormatError, type FormatError, FormatFailure, notThere } from "./error.ts";

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
  EACCES: (path) => `${path} may not be read. Ask whoever owns it for the permission, and open it again.`,
  EPERM: (path) => `${path} may not be read. Ask whoever owns it for the permission, and open it again.`,
};
