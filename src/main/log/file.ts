import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** Names in a data folder: the log, and the one before it. */
export const LOG_NAME = "log.txt";
export const OLDER_NAME = "log.1.txt";
/** A file that has reached this size becomes the older one. */
const LARGEST_BYTES = 1_000_000;
/** So many times that size is the end of one that cannot be put aside. */
const MOST_FILES = 4;
const LOCK_NAME = "log.lock";
/** Putting a file aside takes a moment: a lock of this age is of a process that was killed. */
const ABANDONED_MS = 10_000;

/** Windows has no O_NOFOLLOW, which then adds nothing. */
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

export interface LogFileOptions {
  readonly largestBytes?: number;
}

/**
 * Adds a line to the log of a data folder. Each line is one write at the end of the file, which the system keeps whole
 * whoever else writes; the file is opened anew for each, so that nobody goes on in one that was put aside. It is read by
 * its owner alone, whatever the umask.
 *
 * @param line without its end
 * @throws where the file cannot be written
 */
export function appendLine(folder: string, line: string, { largestBytes = LARGEST_BYTES }: LogFileOptions = {}): void {
  const path = join(folder, LOG_NAME);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= largestBytes) putAside(folder, largestBytes);
  const file = openOwn(path);
  try {
    // Where it cannot be put aside, nothing is added in the end.
    if (fstatSync(file).size < MOST_FILES * largestBytes) writeSync(file, `${line}\n`);
  } finally {
    closeSync(file);
  }
}

function openOwn(path: string): number {
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (process.platform !== "win32" && (fstatSync(file).mode & 0o777) !== 0o600) fchmodSync(file, 0o600);
  return file;
}

/** One process does it, once: the others find the file small again. */
function putAside(folder: string, largestBytes: number): void {
  const lock = join(folder, LOCK_NAME);
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    if (ageMs(lock) > ABANDONED_MS) rmSync(lock, { force: true });
    return;
  }
  try {
    const path = join(folder, LOG_NAME);
    if (statSync(path).size >= largestBytes) renameSync(path, join(folder, OLDER_NAME));
  } finally {
    rmSync(lock, { force: true });
  }
}

function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
