import { chmodSync, lstatSync } from "node:fs";
import { copyFile, link, open, rename, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf } from "#shared/fault.ts";
import { failure, success, type Result } from "#shared/service/error.ts";
import { exportError, FormatFailure, type FormatError } from "./error.ts";
import type { CompleteFile, TargetOptions } from "./fileGroup.ts";
import { REPLACED_SUFFIX, sweepBeside, temporaryName } from "./leftovers.ts";
import { copyToStream, resolveTarget, type Target } from "./target.ts";

/** A file being written, and its target; `path` is absolute. */
interface TemporaryFile {
  readonly path: string;
  readonly target: Target;
}

/**
 * Creates an empty file with a unique name in the folder of the target, so that it can be renamed; for a stream, in the
 * system's temporary folder. Also removes files that killed programs left there.
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

/**
 * Syncs a file and gives it its final name, or leaves that to its group; copies the file of a stream. Returns its size in
 * bytes.
 */
export async function promote(file: TemporaryFile, { signal, group }: TargetOptions = {}): Promise<number> {
  const { path, target } = file;
  const { size } = await stat(path);
  if (target.kind === "stream") {
    await copyToStream(path, target, signal);
    await rm(path, { force: true });
    return size;
  }
  await syncFile(path);
  if (group) group.add(completeFile(file));
  else await giveName(file);
  return size;
}

async function giveName({ path, target }: TemporaryFile): Promise<void> {
  keepMode(path, target.path);
  await moveTo(path, target.path);
  await syncFolder(dirname(target.path));
}

function completeFile(file: TemporaryFile): CompleteFile {
  const { path } = file.target;
  return {
    path,
    temporaryPath: file.path,
    async check() {
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
        throw new FormatFailure("invalid", `This is the name of a folder: ${path}`);
    },
    async place() {
      const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
      const replaced = join(dirname(path), temporaryName(REPLACED_SUFFIX));
      // Not every disk has hard links. Without one, the new file stays if a later file of the group fails.
      const isKept = !isNew && (await link(path, replaced).then(...IS_DONE));
      await giveName(file);
      return {
        async undo() {
          if (isNew) await rm(path, { force: true });
          else if (isKept) await rename(replaced, path);
        },
        async settle() {
          if (isKept) await rm(replaced, { force: true });
        },
      };
    },
    discard: () => discard(file),
  };
}

const IS_DONE = [() => true, () => false] as const;

/** Gives a file the permissions of the file that it replaces. */
function keepMode(path: string, replaced: string): void {
  const before = lstatSync(replaced, { throwIfNoEntry: false });
  if (!before?.isFile()) return;
  try {
    chmodSync(path, before.mode & 0o777);
  } catch {
    // Not every disk has permissions.
  }
}

/** Renames a file, or copies it to another disk: the name of the first of several files may be a link to elsewhere. */
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
 * Lets `write` fill a temporary file, which replaces `path` when it is complete and on the disk. A link of that name is
 * replaced, not followed, because another user may have created it.
 *
 * @throws errors of `write` and the file system; the temporary file is then removed
 */
export async function writeReplacing<T>(path: string, write: (temporaryPath: string) => Promise<T>): Promise<T> {
  const temporary = join(dirname(path), temporaryName());
  const handle = await open(temporary, "wx");
  const { mode } = await handle.stat();
  await handle.close();
  sweepBeside(temporary);
  try {
    const value = await write(temporary);
    // `write` may have restricted the permissions of the incomplete file.
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

/** Makes a rename durable. Does nothing if folders cannot be synced (Windows). */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Not every file system can open folders; the file itself is already synced.
  }
}

/** Removes a file. Truncates it first, because after a failure the HDF5 library may keep it open, which holds its disk space. */
export async function discard(file: TemporaryFile): Promise<void> {
  await truncate(file.path, 0).catch(() => undefined);
  await rm(file.path, { force: true });
}

/**
 * Lets `write` fill a temporary sibling of `path`, which gets the final name only when it is complete and on the disk.
 * Links are followed. After a failure or a cancellation no file is left; after a kill, at most the temporary file, which a
 * later export removes.
 */
export async function writeThroughTemporary<T>(
  path: string,
  write: (temporaryPath: string) => Promise<T>,
  options: TargetOptions = {},
): Promise<Result<{ readonly value: T; readonly bytes: number }, FormatError>> {
  let temporary: TemporaryFile | null = null;
  let disk = path;
  try {
    temporary = await createTemporary(path);
    // For a stream, the disk of the temporary file is the one that may be full.
    if (temporary.target.kind === "stream") disk = dirname(temporary.path);
    const value = await write(temporary.path);
    disk = path;
    return success({ value, bytes: await promote(temporary, options) });
  } catch (thrown) {
    if (temporary) await discard(temporary).catch(() => undefined);
    return failure(exportError(thrown, disk, options.signal));
  }
}
