import { type OpenOptions, openSeriesFile } from "#formats/open/index.ts";
import { openPlainTable } from "../../store/database/plainTable.ts";

/** Opens a file of series in any format, including SQLite. */
export function openAnyFile(
  path: string,
  options: Omit<OpenOptions, "database"> & { readonly name?: string } = {},
): ReturnType<typeof openSeriesFile> {
  return openSeriesFile(path, { ...options, database: openPlainTable });
}
