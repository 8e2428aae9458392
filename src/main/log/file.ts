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

/** Names in a data folder: the log, and the rotated one. */
export const LOG_NAME = "log.txt";
export const ROTATED_LOG_NAME = "log.1.txt";
/** Size at which the log is rotated. */
const MAX_BYTES = 1_000_000;
/** A log that cannot be rotated grows to this multiple of the size. */
const MAX_UNROTATED_SIZES = 4;
const LOCK_NAME = "log.lock";
/** Rotation is fast, so an older lock was left by a killed process. */
const ABANDONED_MS = 10_000;

/** O_NOFOLLOW is undefined on Windows. */
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

interface LogFileOptions {
  readonly maxBytes?: number;
}

/**
 * Appends a line to the log of a data folder. Each line is one append, which the system keeps atomic among processes. The
 * file is opened for each line, so that no process continues in a rotated file. Only its owner can read it, whatever the
 * umask.
 *
 * @param line without line end
 * @throws if the file cannot be written
 */
export function appendLine(folder: string, line: string, { maxBytes = MAX_BYTES }: LogFileOptions = {}): void {
  const path = join(folder, LOG_NAME);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes) rotate(folder, maxBytes);
  const file = openPrivate(path);
  try {
    // A log that cannot be rotated stops growing.
    if (fstatSync(file).size < MAX_UNROTATED_SIZES * maxBytes) writeSync(file, `${line}\n`);
  } finally {
    closeSync(file);
  }
}

function openPrivate(path: string): number {
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (process.platform !== "win32" && (fstatSync(file).mode & 0o777) !== 0o600) fchmodSync(file, 0o600);
  return file;
}

/** Rotates the log. Only one process does so; others find the file small again. */
function rotate(folder: string, maxBytes: number): void {
  const lock = join(folder, LOCK_NAME);
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    if (ageMs(lock) > ABANDONED_MS) rmSync(lock, { force: true });
    return;
  }
  try {
    const path = join(folder, LOG_NAME);
    if (statSync(path).size >= maxBytes) renameSync(path, join(folder, ROTATED_LOG_NAME));
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
