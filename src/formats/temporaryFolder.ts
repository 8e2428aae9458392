import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failure, success, type Result } from "#shared/service/error.ts";
import { asFormatError, FormatFailure, type FormatError } from "./error.ts";
import { resolveTarget } from "./target.ts";
import { ASIDE_SUFFIX, sweepBeside, syncFolder, temporaryName } from "./temporary.ts";

/**
 * Lets `write` fill a temporary folder beside `path`, and gives it the final name only when it is complete. What had
 * that name is replaced where it is a file, or a folder that `mayReplace` takes for one of ours; any other folder is left
 * alone, with a sentence. After a failure nothing is left; after a kill, at most a hidden folder that a later export
 * sweeps up.
 *
 * @param write brings its own files to the disk before it returns
 */
export async function writeThroughFolder<T>(
  path: string,
  mayReplace: (folder: string) => Promise<boolean>,
  write: (folder: string) => Promise<T>,
): Promise<Result<T, FormatError>> {
  let folder: string | null = null;
  try {
    const target = (await resolveTarget(path)).path;
    const parent = dirname(target);
    await refuseForeign(target, mayReplace);
    folder = join(parent, temporaryName());
    await mkdir(folder);
    sweepBeside(folder);
    const value = await write(folder);
    await refuseForeign(target, mayReplace);
    await exchange(folder, target);
    await syncFolder(parent);
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

/** A folder cannot be renamed onto another one: what is there goes aside first, and comes back if that was in vain. */
async function exchange(folder: string, target: string): Promise<void> {
  const aside = join(dirname(target), temporaryName(ASIDE_SUFFIX));
  const wasThere = await rename(target, aside).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => {
      if (thrown.code === "ENOENT") return false;
      throw thrown;
    },
  );
  try {
    await rename(folder, target);
  } catch (thrown) {
    if (wasThere) await rename(aside, target);
    throw thrown;
  }
  if (wasThere) await rm(aside, { recursive: true, force: true }).catch(() => undefined);
}
