import { readFile, stat } from "node:fs/promises";
import type { AppFault } from "#shared/fault.ts";
import { failure, type Result } from "#shared/service/error.ts";
import { MAX_VIEW_FILE_BYTES, readViewFile } from "#shared/views/file.ts";
import type { SavedView } from "#shared/views/view.ts";

/** Reads the views in a view file. @param name as the user knows the file */
export async function readViewsAt(path: string, name: string): Promise<Result<SavedView[], AppFault>> {
  try {
    if ((await stat(path)).size > MAX_VIEW_FILE_BYTES)
      return failure({ kind: "disk", message: `${name}: this file is too large to hold views.`, cause: null });
    const read = readViewFile(await readFile(path, "utf8"));
    return read.ok ? read : failure({ ...read.error, message: `${name}: ${read.error.message}` });
  } catch (thrown) {
    const message = `${name} cannot be read. Check that it exists and is readable, then open it again.`;
    return failure({ kind: "disk", message, cause: String(thrown) });
  }
}
