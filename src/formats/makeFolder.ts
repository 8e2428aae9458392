import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "#shared/fault.ts";

/**
 * Creates a folder and its missing parents; an existing folder is unchanged. Unlike `mkdir` with `recursive`, which tries
 * forever then, it fails in a folder that cannot contain others, such as `/proc`.
 *
 * @param mode permissions of the new folders, as in `mkdir`
 * @throws errors of the file system
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have created it in the meantime.
    if (codeOf(thrown) !== "EEXIST" || !isFolder(path)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
