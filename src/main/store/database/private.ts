import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What belongs to a database besides itself. */
const LOGS = ["-wal", "-shm", "-journal"];
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;
/** Files of a data folder: databases with their logs, copies and backups, and what tells who has the folder open. */
const OURS = /^(user\.db|claims\.db|open\.(lock|pid)|log\.|cache-[^/]*\.db)/;
/** Folders that this program makes in a data folder. */
const OUR_FOLDERS = ["keys", "exports"];

/**
 * Makes sure that nobody but its owner reads a database that is about to be opened, whatever the umask: one that is
 * missing is made empty with mode 0600, which SQLite also gives its logs; one that is there is tightened where it is
 * ours. On Windows nothing is done: there the folder in the user's profile protects it.
 */
export function makePrivate(path: string): void {
  if (process.platform === "win32") return;
  try {
    const file = openSync(path, "wx", 0o600);
    fchmodSync(file, 0o600);
    closeSync(file);
  } catch {
    // It is there already; or it cannot be made, which whoever opens it is told.
  }
  for (const file of [path, ...LOGS.map((log) => path + log)]) tighten(file);
}

/** Makes a folder, with those around it that are missing, for its owner alone. A folder that is there stays as it is. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Takes from all others what an older version, another tool or a loose umask let them do with the files of a data folder.
 * The folder itself is the user's, who may share it: only what this program made in it is tightened.
 */
export function tightenFolder(folder: string): void {
  if (process.platform === "win32") return;
  for (const name of OUR_FOLDERS) tighten(join(folder, name));
  try {
    for (const name of readdirSync(folder)) if (OURS.test(name)) tighten(join(folder, name));
  } catch {
    // A folder that cannot be listed cannot be used either, which whoever opens a file in it is told.
  }
}

/** Leaves its owner what he may do with a file or folder, and all others nothing. */
export function tighten(path: string): void {
  if (process.platform === "win32") return;
  try {
    const { mode, uid } = statSync(path);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o7777 & ~OTHERS);
  } catch {
    // It is not there, or its disk is read-only or knows no modes.
  }
}
