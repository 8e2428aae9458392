import { chmodSync, closeSync, fchmodSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "#formats/makeFolder.ts";

/** Suffixes of the other files of a database. */
const LOGS = ["-wal", "-shm", "-journal"];
/** Permission bits of all others. */
const OTHERS = 0o077;
/** Files of a data folder: databases with their logs, copies and backups, and the lock files. */
const OURS = /^(user\.db|claims\.db|open\.(lock|pid)|log\.|cache-[^/]*\.db)/;
/** Folders that this program creates in a data folder. */
const OUR_FOLDERS = ["keys", "exports"];

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

/** Creates a folder and its missing parents for the owner only. An existing folder is unchanged. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/**
 * Revokes the permissions that an older version, another tool or a loose umask gave to others on files of a data
 * folder. The folder itself is the user's, who may share it: only what this program created in it is restricted.
 */
export function tightenFolder(folder: string): void {
  if (process.platform === "win32") return;
  for (const name of OUR_FOLDERS) tighten(join(folder, name));
  try {
    for (const name of readdirSync(folder)) if (OURS.test(name)) tighten(join(folder, name));
  } catch {
    // A folder that cannot be listed cannot be used either, which opening a file in it reports.
  }
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
