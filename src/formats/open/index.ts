import { failure, type Result } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import type { SeriesFile } from "./types.ts";

export { FormatFailure } from "../error.ts";
export type { FileRows, SeriesFile } from "./types.ts";

/**
 * Opens a file of series for looking at: NetCDF-3 and NetCDF-4 in any layout that CF describes, and our own CSV. The
 * kind is told by the first bytes, not by the name.
 *
 * @returns what is in it, or a sentence on why nothing can be shown
 */
export async function openSeriesFile(path: string, _signal?: AbortSignal): Promise<Result<SeriesFile, FormatError>> {
  return failure({ kind: "unreadable", message: `Files of this kind cannot be opened yet: ${path}`, cause: null });
}
