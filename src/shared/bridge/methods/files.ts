import { z } from "zod";
import { chosenColumns } from "#shared/file/columns.ts";
import type { FileGrant, OpenedFile, RecentFile } from "#shared/file/opened.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { method } from "../method.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import { range } from "./schemas.ts";

/** Data of one series of a file for a plot, like `SeriesWindow` for the cache. */
export type FileWindow =
  | {
      readonly kind: "rows";
      readonly seriesId: string;
      readonly range: TimeRange;
      /** Ascending, UTC milliseconds, possibly with fractions and repeated times. */
      readonly timesMs: Float64Array;
      /** Parallel to `timesMs`, in the unit of the quantity; NaN: no value. */
      readonly values: Float64Array;
    }
  | {
      readonly kind: "columns";
      readonly seriesId: string;
      readonly range: TimeRange;
      readonly columns: number;
      readonly values: VariableColumns;
    };

/** Rows of a table, in time order. */
export interface FilePage {
  /** Number of rows in the whole range. */
  readonly total: number;
  readonly offset: number;
  readonly timesMs: Float64Array;
  /** In the order of the requested series; NaN: no value. */
  readonly columns: readonly Float64Array[];
}

/** Sorted or filtered rows: parallel arrays. */
export interface FileRowOrder {
  /** Row numbers in the whole series, from 0. */
  readonly rows: Uint32Array;
  readonly timesMs: Float64Array;
}

const grantId = z.string().min(1).max(100);
const fileId = z.string().min(1).max(100);
const seriesId = z.string().min(1).max(100);
const tableSeries = z.array(seriesId).min(1).max(50).readonly();
/** By the values of a series, rows without a value last; null: by time. */
const sort = z.object({ by: seriesId.nullable(), isDescending: z.boolean() });
/** Rows in which one series, or every requested one (null), has a value within the bounds. */
const filter = z.object({ of: seriesId.nullable(), atLeast: z.number().nullable(), atMost: z.number().nullable() });

/**
 * Files of series, opened beside the cache. They belong to the core and are the same in every window.
 *
 * A file enters as a grant, in one of five ways:
 * - `files.choose` opens the system's dialog (if `capabilities.openFiles` is `dialog`);
 * - `window.zenithShell.grantFiles(files)` for `File`s dropped on, or chosen in, a page of the desktop shell;
 * - `POST /open` for those of a page of the web shell (`capabilities.openFiles` is `upload`), see `shared/bridge/transport/webShell`;
 * - `files.takeOffered` for files that the system asked the program to open, at its start and after each `filesOffered`;
 * - `files.openRecent` for a file that was opened before.
 */
export const files = {
  /**
   * Grants for files or folders chosen in the system's dialog; empty if the user cancels. Faults: usage (no dialog).
   */
  choose: method<FileGrant[]>()(z.object({ isFolder: z.boolean().optional() })),
  /** Grants for files that the system asked to open; the first window that calls receives them. */
  takeOffered: method<FileGrant[]>()(z.object({})),
  /** Recently opened files that still exist, newest first, without uploads, which are copies. Faults: disk. */
  recent: method<RecentFile[]>()(z.object({})),
  /** A grant for a recent file. Faults: usage (no longer exists). */
  openRecent: method<FileGrant>()(z.object({ recentId: z.string().min(1).max(100) })),
  /** Faults: disk. */
  clearRecent: method<null>()(z.object({})),
  /**
   * Reads the structure of a file and keeps it open; a file that is already open is answered unchanged. Emits
   * `filesChanged`. Faults: usage (the grant was used; no series in the file; unknown format), disk.
   */
  open: method<OpenedFile>()(z.object({ grantId })),
  /**
   * Reopens a text table with other columns, replacing the open file. The choice is stored for files with the same
   * header. Emits `filesChanged`. Faults: usage (closed; these columns have no time or no values), disk.
   */
  chooseColumns: method<OpenedFile>()(z.object({ fileId, columns: chosenColumns })),
  /** In the order in which they were opened. */
  list: method<OpenedFile[]>()(z.object({})),
  /** Emits `filesChanged`. */
  close: method<null>()(z.object({ fileId })),
  /**
   * Series of a file over a range, ready to draw, in the order of the request: all rows if the range has at most
   * `mostRows`, else min, max, mean and count in `columns` equal columns. Faults: usage (closed; a series is too large),
   * disk.
   */
  window: method<FileWindow[]>()(
    z.object({
      fileId,
      seriesIds: z.array(seriesId).min(1).max(500).readonly(),
      range,
      columns: z.number().int().min(1).max(100_000),
      mostRows: z.number().int().min(0).max(5_000_000),
    }),
  ),
  /** A page of rows of series with common epochs (`timesId`); of all rows if `range` is null. Faults: usage, disk. */
  page: method<FilePage>()(
    z.object({
      fileId,
      seriesIds: tableSeries,
      range: range.nullable(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(10_000),
    }),
  ),
  /** Sorted and filtered rows of series with common epochs. Faults: usage, disk. */
  rowOrder: method<FileRowOrder>()(
    z.object({ fileId, seriesIds: tableSeries, range, sort, filter: filter.nullable() }),
  ),
  /** Rows by number, in the order of the request. Faults: usage, disk. */
  rowsAt: method<Pick<FilePage, "timesMs" | "columns">>()(
    z.object({ fileId, seriesIds: tableSeries, rows: z.array(z.number().int().min(0)).max(10_000).readonly() }),
  ),
};
