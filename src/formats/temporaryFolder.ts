import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { failure, success, type Result } from "#shared/service/error.ts";
import { asFormatError, FormatFailure, type FormatError } from "./error.ts";
import type { CompleteFile, PlacedFile, TargetOptions } from "./fileGroup.ts";
import { resolveTarget } from "./target.ts";
import { noteReplaced, REPLACED_SUFFIX, sweepBeside, temporaryName } from "./leftovers.ts";
import { syncFolder } from "./temporary.ts";

/**
 * Lets `write` fill a temporary folder beside `path`, which gets the final name only when it is complete. An existing file
 * is replaced, and so is a folder for which `mayReplace` returns true; any other folder is an error. After a failure
 * nothing is left; after a kill, at most a hidden folder, which a later export removes.
 *
 * @param write has to sync its files before it returns
 */
export async function writeThroughFolder<T>(
  path: string,
  mayReplace: (folder: string) => Promise<boolean>,
  write: (folder: string) => Promise<T>,
  { group }: TargetOptions = {},
): Promise<Result<T, FormatError>> {
  let folder: string | null = null;
  try {
    const target = (await resolveTarget(path)).path;
    await refuseForeign(target, mayReplace);
    folder = join(dirname(target), temporaryName());
    await mkdir(folder);
    sweepBeside(folder);
    const value = await write(folder);
    const complete = completeFolder(folder, target, mayReplace);
    if (group) group.add(complete);
    else {
      await complete.check();
      await (await complete.place()).settle();
    }
    return success(value);
  } catch (thrown) {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    return failure(asFormatError(thrown, path));
  }
}

async function refuseForeign(target: string, mayReplace: (folder: string) => Promise<boolean>): Promise<void> {
  const found = await lstat(target).catch(() => null);
  if (found === null || found.isFile() || (found.isDirectory() && (await mayReplace(target)))) return;
  throw new FormatFailure(
    "invalid",
    `${target} is a folder with other things in it, which an export does not replace. Choose another name.`,
  );
}

function completeFolder(
  folder: string,
  target: string,
  mayReplace: (folder: string) => Promise<boolean>,
): CompleteFile {
  return {
    path: target,
    temporaryPath: folder,
    check: () => refuseForeign(target, mayReplace),
    place: () => exchange(folder, target),
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Replaces a folder: renames the old one first, because a folder cannot be renamed onto another, and restores it on failure. */
async function exchange(folder: string, target: string): Promise<PlacedFile> {
  const replaced = join(dirname(target), temporaryName(REPLACED_SUFFIX));
  const note = await noteReplaced(replaced, basename(target));
  let existed = true;
  try {
    await rename(target, replaced).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== "ENOENT") throw thrown;
      existed = false;
    });
    await rename(folder, target);
  } catch (thrown) {
    // Does nothing if the first one failed.
    if (existed) await rename(replaced, target).catch(() => undefined);
    await note.remove();
    throw thrown;
  }
  await syncFolder(dirname(target));
  return {
    async undo() {
      await rm(target, { recursive: true, force: true });
      if (existed) await rename(replaced, target);
      await note.remove();
    },
    async settle() {
      await rm(replaced, { recursive: true, force: true });
      await note.remove();
    },
  };
}
