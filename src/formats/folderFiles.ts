import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { count } from "#shared/text.ts";
import { FormatFailure, unreadable } from "./error.ts";
import { MANIFEST } from "./parquet/partitions.ts";

const MAX_FILES = 20_000;
const ZARR = /^(zarr\.json|\.zgroup|\.zarray|\.zmetadata)$/;

interface FolderFile {
  /** Relative to the folder, with slashes. */
  readonly name: string;
  readonly path: string;
}

/** Returns the files of a folder and its subfolders, sorted by name. @throws FormatFailure if there are none, or too many */
export async function folderFiles(folder: string): Promise<FolderFile[]> {
  const files: FolderFile[] = [];
  await collect(folder, "", files);
  if (files.length === 0) throw unreadable("This folder is empty.");
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function collect(folder: string, prefix: string, files: FolderFile[]): Promise<void> {
  for await (const entry of await opendir(folder)) {
    if (ZARR.test(entry.name)) throw unreadable("This is a Zarr store. Export NetCDF instead.");
    const path = join(folder, entry.name);
    const name = prefix + entry.name;
    if (!isContent(name) || entry.name === MANIFEST) continue;
    if (entry.isDirectory()) await collect(path, `${name}/`, files);
    else if (entry.isFile()) files.push({ name, path });
    if (files.length > MAX_FILES)
      throw new FormatFailure("tooLarge", `This folder has more than ${count(MAX_FILES)} files. Open a smaller one.`);
  }
}

/** Whether a file is neither hidden nor metadata of an operating system. */
export function isContent(name: string): boolean {
  return !name.startsWith("__MACOSX/") && !/(^|\/)\.[^/]*$/.test(name);
}
