import { constants } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute } from "node:path";
import { asFormatError } from "#formats/error.ts";
import { resolveTarget } from "#formats/target.ts";
import { LONGEST_NAME_BYTES, utf8Bytes } from "#shared/file/fileName.ts";
import { type ExportFormat, FOLDER_FORMATS } from "#shared/file/export.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";

/** Longest path that every program on Windows takes, in UTF-16 units; what lies beside a file needs some of it. */
const LONGEST_WINDOWS_PATH = 259;

/** Why an export cannot be written there, before any work is done; null where nothing speaks against it. */
export async function placeProblem(path: string, format: ExportFormat): Promise<AppFault | null> {
  if (!isAbsolute(path)) return usageFault(`“${path}” does not tell a folder: choose one.`);
  const tooLong = (await lengthProblem(path)) ?? windowsProblem(path, process.platform);
  if (tooLong !== null) return disk(tooLong);
  const target = await resolveTarget(path).catch((thrown: unknown) => asFormatError(thrown, path));
  // The folder of a link may not be there either, which has a sentence of its own below.
  if ("message" in target && target.kind !== "noFolder" && target.kind !== "noPermission") return disk(target.message);
  if ("path" in target && target.kind === "stream")
    return (await mayWrite(target.path)) ? null : disk(`${path} cannot be written to. Choose another place.`);
  const place = "path" in target ? target.path : path;
  const folder = dirname(place);
  if (!(await isFolder(folder))) return disk(`The folder ${folder} is not there. Choose another one.`);
  if (!(await mayWrite(folder))) return disk(`The folder ${folder} cannot be written to. Choose another one.`);
  // A Parquet dataset or Zarr store is a folder itself; whether it may replace the one that is there, its writer sees.
  return !FOLDER_FORMATS.has(format) && (await isFolder(place))
    ? disk(`${path} is a folder. Choose another name for the file.`)
    : null;
}

/** The disk itself knows best how long a name may be. */
async function lengthProblem(path: string): Promise<string | null> {
  const code = await lstat(path).then(
    () => null,
    (thrown: NodeJS.ErrnoException) => thrown.code,
  );
  if (code !== "ENAMETOOLONG") return null;
  const bytes = utf8Bytes(basename(path));
  return bytes > LONGEST_NAME_BYTES
    ? `The name of the file has ${bytes} bytes, and this disk takes ${LONGEST_NAME_BYTES}. Choose a shorter name.`
    : "The name of the file or its path is longer than this disk takes. Choose a shorter one.";
}

/** What other programs on Windows could not open is not written. */
export function windowsProblem(path: string, platform: NodeJS.Platform): string | null {
  return platform === "win32" && path.length > LONGEST_WINDOWS_PATH
    ? `The path has ${path.length} characters, and most programs on Windows open at most ${LONGEST_WINDOWS_PATH}. Choose a shorter name or folder.`
    : null;
}

function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
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
