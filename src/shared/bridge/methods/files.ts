import { z } from "zod";
import { chosenColumns } from "#shared/file/columns.ts";
import type { FileGrant, OpenedFile, RecentFile } from "#shared/file/opened.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { method } from "../method.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import { range } from "./words.ts";

/** What a plot draws of one series of a file, as `SeriesWindow` does of the cache. */
export type FileWindow =
  | {
      readonly kind: "rows";
      readonly seriesId: string;
      readonly range: TimeRange;
      /** Ascending, UTC milliseconds, perhaps with fractions; equal times where the file repeats them. */
      readonly timesMs: Float64Array;
      /** As long as `timesMs`, in the unit of the quantity; NaN where there is no value. */
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
  /** Rows of the whole range. */
  readonly total: number;
  readonly offset: number;
  readonly timesMs: Float64Array;
  /** For each asked series, in the order of the question; NaN: no value. */
  readonly columns: readonly Float64Array[];
}

/** Both as long as there are such rows. */
export interface FileRowOrder {
  /** Numbers of rows among all rows of the series, from 0. */
  readonly rows: Uint32Array;
  readonly timesMs: Float64Array;
}

const grantId = z.string().min(1).max(100);
const fileId = z.string().min(1).max(100);
const seriesId = z.string().min(1).max(100);
const tableSeries = z.array(seriesId).min(1).max(50).readonly();
/** By the values of a series, rows without one last; by time where null. */
const sort = z.object({ by: seriesId.nullable(), isDescending: z.boolean() });
/** Rows with a value of one series, or of all that are asked (null), none of them outside of the bounds. */
const filter = z.object({ of: seriesId.nullable(), atLeast: z.number().nullable(), atMost: z.number().nullable() });

/**
 * Files of series, opened to be looked at beside the cache. They belong to the core: every window has the same ones.
 *
 * A file enters as a grant, in one of five ways:
 * - `files.choose` opens the system's dialog (where `capabilities.openFiles` is `dialog`);
 * - `window.zenithShell.grantFiles(files)` for `File`s that were dropped on, or chosen in, a page of the desktop shell;
 * - `POST /open` for those of a page of the web shell (`capabilities.openFiles` is `upload`), see `shared/bridge/transport/webShell`;
 * - `files.takeOffered` for those that the system asked the program to open, at its start and on every `filesOffered`;
 * - `files.openRecent` for one that was opened before.
 */
export const files = {
  /**
   * Grants for the files, or the folders, that the user chose in the system's dialog; none where the user chose nothing.
   * Faults: usage (no dialog).
   */
  choose: method<FileGrant[]>()(z.object({ isFolder: z.boolean().optional() })),
  /** Grants for files that the system asked to open, each handed out once, to the first window that asks. */
  takeOffered: method<FileGrant[]>()(z.object({})),
  /** Files that were opened before and are still there, newest first. Uploads are copies, and none of them. Faults: disk. */
  recent: method<RecentFile[]>()(z.object({})),
  /** A grant for one of them. Faults: usage (not there any more). */
  openRecent: method<FileGrant>()(z.object({ recentId: z.string().min(1).max(100) })),
  /** Forgets all of them. Faults: disk. */
  clearRecent: method<null>()(z.object({})),
  /**
   * Reads what is in a file, and keeps it open; a file that is open already is answered as it is. Told by `filesChanged`.
   * Faults: usage (the grant is used up; no series in it; not a file that can be read), disk.
   */
  open: method<OpenedFile>()(z.object({ grantId })),
  /**
   * Opens a table of text again with other columns, in the place of the file that was open. They are kept for files with
   * the same header. Told by `filesChanged`. Faults: usage (closed; these columns tell no time, or have no values), disk.
   */
  chooseColumns: method<OpenedFile>()(z.object({ fileId, columns: chosenColumns })),
  /** In the order in which they were opened. */
  list: method<OpenedFile[]>()(z.object({})),
  /** Told by `filesChanged`. */
  close: method<null>()(z.object({ fileId })),
  /**
   * Series of a file over a range, ready to draw, in the order of the question: all rows of a series where the range
   * holds at most `mostRows`, else min, max, mean and count in `columns` equal columns. Faults: usage (closed; a series
   * is too large), disk.
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
  /** A page of rows of series that share their epochs (`timesId`); of all rows where `range` is null. Faults: usage, disk. */
  page: method<FilePage>()(
    z.object({
      fileId,
      seriesIds: tableSeries,
      range: range.nullable(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(10_000),
    }),
  ),
  /**
   * Rows of the range in the order asked, those outside of the filter left out: their numbers among all rows of the
   * series, which share their epochs, and their times. Faults: usage, disk.
   */
  rowOrder: method<FileRowOrder>()(
    z.object({ fileId, seriesIds: tableSeries, range, sort, filter: filter.nullable() }),
  ),
  /** The rows with these numbers, in their order. Faults: usage, disk. */
  rowsAt: method<Pick<FilePage, "timesMs" | "columns">>()(
    z.object({ fileId, seriesIds: tableSeries, rows: z.array(z.number().int().min(0)).max(10_000).readonly() }),
  ),
};
