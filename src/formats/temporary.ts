import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { copyFile, open, rename, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf } from "#shared/thrown.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { asFormatError, FormatFailure, type FormatError } from "./error.ts";
import { isOwnerGone, ownerMark } from "./owner.ts";
import { pour, resolveTarget, type Target } from "./target.ts";

/** A file under work, and where its bytes go when it is whole; `path` is absolute. */
export interface TemporaryFile {
  readonly path: string;
  readonly target: Target;
}

const SUFFIX = ".zenith-part";
/** A folder that is being replaced has this ending for a moment. */
export const ASIDE_SUFFIX = ".zenith-old";
const OURS = /^\.[0-9a-f]{16}(?:\.([0-9a-f]{8}-\d+))?\.zenith-(?:part|old)(?:-journal)?$/;
/** Where it cannot be told whether its program is still there, what was not written to for so long has none. */
const ABANDONED_MS = 45 * 60_000;

/**
 * Creates an empty file of a unique name in the folder of the target, so that a rename later stays on one disk; for a
 * stream, in the system's folder for such files. What killed programs left there is swept up on the way.
 */
export async function createTemporary(finalPath: string): Promise<TemporaryFile> {
  const target = await resolveTarget(finalPath);
  const isFile = target.kind === "file";
  const path = join(isFile ? dirname(target.path) : tmpdir(), temporaryName());
  const handle = await open(path, "wx", isFile ? 0o666 : 0o600);
  await handle.close();
  sweepBeside(path);
  return { path, target };
}

/** A name that no other export has, hidden, short whatever the final name is, and known to `sweepFolder`. */
export function temporaryName(suffix = SUFFIX): string {
  return `.${randomBytes(8).toString("hex")}.${ownerMark()}${suffix}`;
}

/** Removes what killed programs left in the folder of something new: its time is that of the disk, which may have a clock of its own. */
export function sweepBeside(newPath: string): void {
  // Not being able to tidy up is no reason not to write.
  sweepFolder(dirname(newPath), changedMs(newPath) ?? Number.NEGATIVE_INFINITY);
}

/**
 * Removes temporary files and folders of programs that ended; never those of one that is there. Of a program on another
 * computer only its files tell: those that were not written to for 45 minutes.
 */
export function sweepFolder(folder: string, nowMs = Date.now()): void {
  for (const name of namesIn(folder)) {
    const mark = OURS.exec(name);
    if (mark === null) continue;
    const path = join(folder, name);
    const isGone = mark[1] === undefined ? null : isOwnerGone(mark[1]);
    if (isGone ?? nowMs - (changedMs(path) ?? nowMs) > ABANDONED_MS)
      attempt(() => rmSync(path, { recursive: true, force: true }));
  }
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function changedMs(path: string): number | null {
  return attempt(() => lstatSync(path).mtimeMs);
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Brings the content to the disk, gives the file its final name, and tells its size in bytes. A stream gets the bytes. */
export async function promote({ path, target }: TemporaryFile, signal?: AbortSignal): Promise<number> {
  const { size } = await stat(path);
  if (target.kind === "stream") {
    await pour(path, target, signal);
    await rm(path, { force: true });
    return size;
  }
  await syncFile(path);
  keepMode(path, target.path);
  await moveTo(path, target.path);
  await syncFolder(dirname(target.path));
  return size;
}

/** Who may read a file that is replaced may read the new one, and nobody else. */
function keepMode(path: string, replaced: string): void {
  const before = lstatSync(replaced, { throwIfNoEntry: false });
  if (before?.isFile()) attempt(() => chmodSync(path, before.mode & 0o777));
}

/** To another disk it has to be copied: behind the name of the first of several files may be a link to elsewhere. */
async function moveTo(path: string, finalPath: string): Promise<void> {
  try {
    await rename(path, finalPath);
  } catch (thrown) {
    if (codeOf(thrown) !== "EXDEV") throw thrown;
    const copy = join(dirname(finalPath), temporaryName());
    try {
      await copyFile(path, copy);
      await syncFile(copy);
      await rename(copy, finalPath);
    } finally {
      await rm(copy, { force: true });
    }
    await rm(path, { force: true });
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Lets `write` fill a new file in the folder of `path`, which takes its place when it is complete and on the disk. A link
 * of that name is not followed but replaced: a stranger may have put it there.
 *
 * @throws what `write` and the file system throw; nothing is left of the new file then
 */
export async function writeReplacing<T>(path: string, write: (temporaryPath: string) => Promise<T>): Promise<T> {
  const temporary = join(dirname(path), temporaryName());
  const handle = await open(temporary, "wx");
  const { mode } = await handle.stat();
  await handle.close();
  sweepBeside(temporary);
  try {
    const value = await write(temporary);
    // Whoever filled it may have shut it from others while it was incomplete.
    chmodSync(temporary, mode & 0o777);
    keepMode(temporary, path);
    await syncFile(temporary);
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return value;
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

/** The rename itself is durable only once its folder is; where folders cannot be synced (Windows), nothing is lost. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Not every file system lets a folder be opened; the file itself is safe already.
  }
}

/** Emptied first: after a failed write the HDF5 library may keep the file open, and with it its space on the disk. */
export async function discard(file: TemporaryFile): Promise<void> {
  await truncate(file.path, 0).catch(() => undefined);
  await rm(file.path, { force: true });
}

/**
 * Lets `write` fill a temporary sibling of `path`, and gives it the final name only when it is complete and on the
 * disk. Links are followed to the file that they name. After a failure or a cancellation nothing is left; after a kill,
 * at most the temporary file, which a later export sweeps up.
 *
 * @param signal stops the wait for somebody who reads a named pipe
 */
export async function writeThroughTemporary<T>(
  path: string,
  write: (temporaryPath: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<Result<{ readonly value: T; readonly bytes: number }, FormatError>> {
  let temporary: TemporaryFile | null = null;
  let disk = path;
  try {
    temporary = await createTemporary(path);
    // What goes into a stream is made in another place, and that is the disk that can be full.
    if (temporary.target.kind === "stream") disk = dirname(temporary.path);
    const value = await write(temporary.path);
    disk = path;
    return success({ value, bytes: await promote(temporary, signal) });
  } catch (thrown) {
    if (temporary) await discard(temporary).catch(() => undefined);
    return failure(
      asFormatError(signal?.aborted ? new FormatFailure("cancelled", "The export was stopped.", thrown) : thrown, disk),
    );
  }
}
