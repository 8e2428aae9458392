import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { attempt, codeOf } from "#shared/fault.ts";
import { StoreError } from "../errors.ts";

/**
 * Checks that a file, if it exists, can be read: SQLite would only report that it cannot be opened, and a file in a
 * folder of another user would seem to be missing.
 *
 * @throws StoreError `cannotOpen` if the file or its folder is closed to this user, as after a command that ran as root
 */
export function assertReadable(path: string): void {
  for (const [place, mode] of [
    [dirname(path), constants.X_OK],
    [path, constants.R_OK],
  ] as const) {
    try {
      accessSync(place, mode);
    } catch (thrown) {
      if (codeOf(thrown) === "EACCES")
        throw new StoreError("cannotOpen", place, `${place}: ${reasonOf(place)}`, thrown);
    }
  }
}

/** Returns whether this user may write to a file or folder that exists. */
export function mayWrite(path: string): boolean {
  return attempt(() => accessSync(path, constants.W_OK)) !== null;
}

function reasonOf(place: string): string {
  const found = attempt(() => statSync(place));
  // In a folder whose own folder is closed.
  if (found === null) return "You may not read this folder: choose a data folder of your own.";
  const what = found.isDirectory() ? "folder" : "file";
  if (found.uid === process.getuid?.())
    return `The permissions of this ${what} do not let you read it: change them (chmod).`;
  const owner = found.uid === 0 ? "root" : `another user (${found.uid})`;
  return `This ${what} belongs to ${owner}, and you may not read it. Change its owner (chown), or choose a data folder of your own.`;
}
