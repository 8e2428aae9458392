import type { FileGrid, FileSeries, GridPoint, OpenedFile } from "#shared/file/opened.ts";

/** Rows of one series in order of time. */
export interface FileRows {
  /** Ascending whole UTC milliseconds; equal ones where the file repeats them. */
  readonly timesMs: Float64Array;
  /** As long as `timesMs`, in the unit of the quantity; NaN where there is no value. */
  readonly values: Float64Array;
}

/**
 * An open file of series, whatever its format. What there is was found when it was opened; values are read when asked
 * for. The caller closes it.
 */
export interface SeriesFile extends Pick<OpenedFile, "format" | "title" | "source" | "notes" | "table"> {
  readonly series: readonly FileSeries[];
  /** Rows of the series at this place in `series`. Not to be changed. @throws FormatFailure */
  rows(index: number): FileRows;
  readonly grids?: readonly ReadableGrid[];
  close(): void;
}

export interface ReadableGrid {
  readonly about: FileGrid;
  /** Rows at a point of the grid, as of a series. @throws FormatFailure */
  rows(point: GridPoint): FileRows;
}

/** The rows of a database of ours, as records of a table: the names of the columns first. */
export interface DatabaseTable {
  readonly records: AsyncIterable<readonly (readonly string[])[]>;
  /** Sentences about what is not shown. */
  readonly remarks: readonly string[];
}
