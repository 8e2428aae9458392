import { accessSync, chmodSync, closeSync, constants, fchmodSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { attempt, codeOf } from "#shared/fault.ts";
import { StoreError } from "./errors.ts";

// Lets `readOnly` name files by URIs. SQLite reads this once, when the first file of the process is opened, which may be a
// lock; a thread has a copy of the environment, so its process has to set it.
process.env["SQLITE_USE_URI"] = "1";

/**
 * Checks that a file, if it exists, can be read: SQLite would only report that it cannot be opened, and a file in a
 * folder of another user would seem to be missing.
 *
 * @throws StoreError `cannotOpen` if the file or its folder is closed to this user, as after a command that ran as root
 */
export function assertReadable(path: string): void {
  for (const [place, mode] of [
    [dirname(path), constants.X_OK],
    [path, constants.R_OK],
  ] as const) {
    try {
      accessSync(place, mode);
    } catch (thrown) {
      if (codeOf(thrown) === "EACCES")
        throw new StoreError("cannotOpen", place, `${place}: ${reasonOf(place)}`, thrown);
    }
  }
}

/** Returns whether this user may write to a file or folder that exists. */
export function mayWrite(path: string): boolean {
  return attempt(() => accessSync(path, constants.W_OK)) !== null;
}

function reasonOf(place: string): string {
  const found = attempt(() => statSync(place));
  // In a folder whose own folder is closed.
  if (found === null) return "You may not read this folder: choose a data folder of your own.";
  const what = found.isDirectory() ? "folder" : "file";
  if (found.uid === process.getuid?.())
    return `The permissions of this ${what} do not let you read it: change them (chmod).`;
  const owner = found.uid === 0 ? "root" : `another user (${found.uid})`;
  return `This ${what} belongs to ${owner}, and you may not read it. Change its owner (chown), or choose a data folder of your own.`;
}

/** Suffixes of the other files of a database, which belong to it. */
export const LOGS = ["-wal", "-shm", "-journal"];
/** Permission bits of all others. */
const OTHERS = 0o077;
/**
 * Makes a database that is about to be opened readable by its owner only, whatever the umask. A missing file is created
 * with mode 0600, which SQLite also gives its logs; an existing file of the user is restricted. Does nothing on
 * Windows, where the folder in the user's profile protects it.
 */
export function makePrivate(path: string): void {
  if (process.platform === "win32") return;
  try {
    const file = openSync(path, "wx", 0o600);
    fchmodSync(file, 0o600);
    closeSync(file);
  } catch {
    // It exists, or it cannot be created, which opening it reports.
  }
  for (const file of [path, ...LOGS.map((log) => path + log)]) tighten(file);
}

/** Revokes all permissions of others on a file or folder of the user. */
export function tighten(path: string): void {
  if (process.platform === "win32") return;
  try {
    const { mode, uid } = statSync(path);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o7777 & ~OTHERS);
  } catch {
    // It does not exist, or its disk is read-only or has no modes.
  }
}
