import type { Pace } from "../source.ts";
import type { ColumnCache } from "./columnCache.ts";
import type { ChosenColumns, Remember } from "#shared/file/columns.ts";
import type { FileGrid, FileSeries, GridPoint, OpenedFile } from "#shared/file/opened.ts";

export interface FileRows {
  /** Ascending integer UTC milliseconds, possibly repeated. */
  readonly timesMs: Float64Array;
  /** Parallel to `timesMs`, in the unit of the quantity; NaN: no value. */
  readonly values: Float64Array;
}

/**
 * An open file of series in any format. Its structure was read when it was opened; values are read on demand. The caller
 * closes it.
 */
export interface SeriesFile extends Pick<OpenedFile, "format" | "title" | "source" | "notes" | "table"> {
  readonly series: readonly FileSeries[];
  /** Returns the rows of the series at an index of `series`, not to be modified. @throws FormatFailure */
  rows(index: number): FileRows;
  readonly grids?: readonly { readonly about: FileGrid; rows(point: GridPoint): FileRows }[];
  /** Names of files in an archive or a folder that are left out although they may hold data: damaged, or incomplete. */
  readonly unreadFiles?: readonly string[];
  close(): void;
}

export interface Answers {
  /** Returns what the columns of a table with this header contain, by the user's answer; null without one. */
  given(header: string, names: readonly string[]): ChosenColumns | null;
  readonly remembered: Remember;
}

export interface Reading {
  readonly own: ColumnCache;
  readonly pace: Pace;
  readonly choice: Answers;
}
