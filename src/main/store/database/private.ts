import { chmodSync, closeSync, fchmodSync, openSync, statSync } from "node:fs";

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
