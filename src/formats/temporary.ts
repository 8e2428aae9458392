import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm, stat, truncate } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { failure, success, type Result } from "#shared/service/error.ts";
import { asFormatError, type FormatError } from "./error.ts";

/** A file under work beside its final name; `path` is absolute. */
export interface TemporaryFile {
  readonly path: string;
  readonly finalPath: string;
}

const SUFFIX = ".zenith-part";
/** No file is in work for so long; one this old was left by a program that was killed. */
const ABANDONED_MS = 24 * 3_600_000;

/**
 * Creates an empty file of a unique name in the folder of `finalPath`, so that a rename later stays on one disk. What
 * killed programs left there is swept up on the way.
 */
export async function createTemporary(finalPath: string): Promise<TemporaryFile> {
  const target = resolve(finalPath);
  const path = join(dirname(target), temporaryName());
  const handle = await open(path, "wx");
  await handle.close();
  await sweepBeside(path);
  return { path, finalPath: target };
}

/** A name that no other export has, hidden, and known to `sweepBeside`. */
export function temporaryName(): string {
  return `.${randomBytes(8).toString("hex")}${SUFFIX}`;
}

/** Removes what killed programs left in the folder of something new: its time is that of the disk, which may have a clock of its own. */
export async function sweepBeside(newPath: string): Promise<void> {
  const folder = dirname(newPath);
  // Not being able to tidy up is no reason not to write.
  const nowMs = await changedMs(newPath).catch(() => Number.NEGATIVE_INFINITY);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((n) => n.startsWith(".") && n.endsWith(SUFFIX))) {
    const path = join(folder, name);
    const ageMs = nowMs - (await changedMs(path).catch(() => nowMs));
    if (ageMs > ABANDONED_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function changedMs(path: string): Promise<number> {
  return (await stat(path)).mtimeMs;
}

/** Brings the content to the disk, gives the file its final name, and tells its size in bytes. */
export async function promote(file: TemporaryFile): Promise<number> {
  const handle = await open(file.path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  const { size } = await stat(file.path);
  await rename(file.path, file.finalPath);
  await syncFolder(dirname(file.finalPath));
  return size;
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
 * disk. After a failure or a cancellation nothing is left; after a kill, at most the temporary file.
 */
export async function writeThroughTemporary<T>(
  path: string,
  write: (temporaryPath: string) => Promise<T>,
): Promise<Result<{ readonly value: T; readonly bytes: number }, FormatError>> {
  let temporary: TemporaryFile | null = null;
  try {
    temporary = await createTemporary(path);
    const value = await write(temporary.path);
    return success({ value, bytes: await promote(temporary) });
  } catch (thrown) {
    if (temporary) await discard(temporary).catch(() => undefined);
    return failure(asFormatError(thrown, path));
  }
}
