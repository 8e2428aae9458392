import { statSync } from "node:fs";
import { notThere } from "#formats/error.ts";
import { codeOf } from "#shared/fault.ts";
import { ARCHIVE_MAGIC } from "#shared/views/file.ts";
import { headOf } from "../database/copy.ts";
import { StoreError, toStoreError } from "../errors.ts";

/** Returns whether a file begins like an archive, as a session with data does; one with only views is text. */
export function isArchive(path: string): boolean {
  try {
    const place = statSync(path);
    // Opening a pipe would block until somebody writes to it.
    if (!place.isFile() && !place.isDirectory())
      throw new StoreError("cannotOpen", path, `${path}: This is a pipe or a device, not a file.`);
    return headOf(path, ARCHIVE_MAGIC.length).toString("latin1") === ARCHIVE_MAGIC;
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") throw new StoreError("cannotOpen", path, notThere(path), thrown);
    throw toStoreError(path, thrown);
  }
}
