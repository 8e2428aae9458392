import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { type FormatError, openingError } from "#formats/error.ts";
import { openLocal } from "#formats/foreign/file.ts";
import { folderFiles } from "#formats/folderFiles.ts";
import { type OpenOptions, openSource, type SeriesFile } from "#formats/open/index.ts";
import { failure, type Result } from "#shared/service/error.ts";

/** Opens a file or folder of the disk without a guest. */
export async function openSeriesFile(path: string, options?: OpenOptions): Promise<Result<SeriesFile, FormatError>> {
  try {
    if (!(await stat(path)).isDirectory())
      return await openSource({ file: openLocal(path), name: basename(path) }, options);
    const parts = (await folderFiles(path)).map((part) => ({ name: part.name, open: () => openLocal(part.path) }));
    return await openSource({ parts }, options);
  } catch (thrown) {
    return failure(openingError(thrown, path));
  }
}
