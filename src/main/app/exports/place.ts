import { constants, existsSync } from "node:fs";
import { access, lstat, readdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse } from "node:path";
import { asFormatError } from "#formats/error.ts";
import { resolveTarget } from "#formats/target.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { MAX_FILE_SYSTEM_NAME_BYTES, utf8Bytes } from "#shared/file/fileName.ts";
import { exportFileName } from "#shared/file/names.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import type { Result } from "#shared/service/error.ts";
import { splitStations } from "../../export/source.ts";
import type { OpenConnection } from "../connections/connections.ts";

/** Longest path that every program on Windows accepts, in UTF-16 units. */
const MAX_WINDOWS_PATH = 259;

/** Checks a path before an export begins. Returns why the export cannot be written there, or null. */
export async function placeProblem(path: string, format: ExportFormat): Promise<AppFault | null> {
  if (!isAbsolute(path)) return usageFault(`“${path}” names no folder. Choose one.`);
  const tooLong = (await lengthProblem(path)) ?? windowsProblem(path, process.platform);
  if (tooLong !== null) return disk(tooLong);
  const target = await resolveTarget(path).catch((thrown: unknown) => asFormatError(thrown, path));
  // The target folder of a link may be missing too, which is reported below.
  if ("message" in target && target.kind !== "noFolder" && target.kind !== "noPermission") return disk(target.message);
  if ("path" in target && target.kind === "stream")
    return (await mayWrite(target.path)) ? null : disk(`${path} cannot be written to. Choose another place.`);
  const place = "path" in target ? target.path : path;
  const folder = dirname(place);
  if (!(await isFolder(folder))) return disk(`The folder ${folder} does not exist. Create it, or choose another one.`);
  if (!(await mayWrite(folder))) return disk(`The folder ${folder} cannot be written to. Choose another one.`);
  // A Parquet dataset or Zarr store is a folder itself; its writer decides whether it may replace an existing one.
  return !(FORMATS[format].isFolder === true) && (await isFolder(place))
    ? disk(`${path} is a folder. Choose another name for the file.`)
    : null;
}

/** Asks the file system, because the limit depends on the disk. */
async function lengthProblem(path: string): Promise<string | null> {
  const code = await lstat(path).then(
    () => null,
    (thrown: NodeJS.ErrnoException) => thrown.code,
  );
  if (code !== "ENAMETOOLONG") return null;
  const bytes = utf8Bytes(basename(path));
  return bytes > MAX_FILE_SYSTEM_NAME_BYTES
    ? `The name of the file has ${bytes} bytes, and this disk takes ${MAX_FILE_SYSTEM_NAME_BYTES}. Choose a shorter name.`
    : "The name of the file or its path is longer than this disk takes. Choose a shorter one.";
}

/** Refuses paths that other programs on Windows could not open. */
export function windowsProblem(path: string, platform: NodeJS.Platform): string | null {
  return platform === "win32" && path.length > MAX_WINDOWS_PATH
    ? `The path has ${path.length} characters, and most programs on Windows open at most ${MAX_WINDOWS_PATH}. Choose a shorter name or folder.`
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

/** Existing files that an export would overwrite: the file, its siblings and their descriptions. Ignores case. */
export async function existingOutputs(path: string): Promise<readonly string[]> {
  const { name, ext } = parse(path);
  const [stem, ending] = [foldCase(name), foldCase(ext)];
  const isOutput = (other: string): boolean => {
    const text = foldCase(other).replace(/\.json$/, "");
    const isFamily = text.startsWith(stem) && text.endsWith(ending);
    return isFamily && /^(-satellites|-stations|-iwv)?$/.test(text.slice(stem.length, text.length - ending.length));
  };
  // A folder may be writable but not listable: then look for the file itself.
  const names = await readdir(dirname(path)).catch(() => (existsSync(path) ? [basename(path)] : []));
  return names.filter(isOutput).map((found) => join(dirname(path), basename(found)));
}

function foldCase(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** How to name a file; without a template, by the default one. */
export interface Naming {
  readonly template?: string | undefined;
  /** Name of a saved export, for `{name}`. */
  readonly exportName?: string;
}

/** The name of the first file of an export: that of the stations which it will contain, if any is known. */
export function firstFileName(
  { cache, record }: OpenConnection,
  request: Omit<ExportRequest, "path">,
  { template = DEFAULT_TEMPLATE, exportName }: Naming,
): Result<string, AppFault> {
  const known = splitStations(cache.catalogue(), request.stationIds).stations;
  const stations = new Map(known.map((s) => [s.id, s]));
  const written = known.length === 0 ? request : { ...request, stationIds: [...stations.keys()] };
  const named = { request: written, stations, connectionName: record.name, exportName: exportName ?? null };
  return exportFileName(template, named);
}
