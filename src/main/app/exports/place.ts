import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import type { ExportFormat } from "#shared/file/export.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";

/** Why an export cannot be written there, before any work is done; null where nothing speaks against it. */
export async function placeProblem(path: string, format: ExportFormat): Promise<AppFault | null> {
  if (!isAbsolute(path)) return usageFault(`“${path}” does not tell a folder: choose one.`);
  const folder = dirname(path);
  if (!(await isFolder(folder))) return disk(`The folder ${folder} is not there. Choose another one.`);
  const canWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!canWrite) return disk(`The folder ${folder} cannot be written to. Choose another one.`);
  // A Parquet dataset is a folder itself; whether it may replace the one that is there, its writer sees.
  return format !== "parquet" && (await isFolder(path))
    ? disk(`${path} is a folder. Choose another name for the file.`)
    : null;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function disk(message: string): AppFault {
  return { kind: "disk", message, cause: null };
}
