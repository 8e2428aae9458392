import type { AppFault } from "#shared/fault.ts";
import type { SeriesName } from "#shared/bridge/methods/series.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Rows of the cache. */
export interface RowQuery {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
}

export interface TableColumn {
  /** Names its values in a page. */
  readonly id: string;
  /** Stands above the heading where several stations are side by side. */
  readonly station: string | null;
  readonly heading: string;
  /** Its heading on the clipboard. */
  readonly copiedAs: string;
  /** Said when it is pointed at. */
  readonly meaning: string;
  readonly kind: "number" | "text";
  /** The series of the cache that it shows; null for a column of a file. */
  readonly series: SeriesName | null;
}

/** Rows in time order, with values by the ids of columns: numbers (NaN: no value), or texts as they came. */
export interface TablePage {
  /** Rows of the whole range. */
  readonly total: number;
  readonly offset: number;
  /** UTC milliseconds. */
  readonly timesMs: Float64Array;
  readonly columns: { readonly [id: string]: Float64Array | readonly (string | null)[] | undefined };
}

/** Rows that a table shows: of the cache, or of an opened file. */
export interface RowSource {
  /** With another word the rows are others. */
  readonly key: string;
  readonly columns: readonly TableColumn[];
  readonly range: TimeRange;
  page(
    range: TimeRange,
    offset: number,
    limit: number,
    signal: AbortSignal | null,
  ): Promise<Result<TablePage, AppFault>>;
  /** The row of the first epoch at or after a moment in the range; the last where there is none. */
  rowAt(momentMs: number): Promise<Result<number, AppFault>>;
  /** Calls back when rows may have changed, until the returned function is called. */
  follow(changed: () => void): () => void;
  /** Names the series of the cache, where the causes of absent values can be asked; null for rows of a file. */
  readonly cached: RowQuery | null;
}

/** `rowAt` of rows in order of time: as many rows as there are from the moment on lie behind it. */
export function rowByCount(page: RowSource["page"], range: TimeRange): RowSource["rowAt"] {
  return async (momentMs) => {
    const all = await page(range, 0, 1, null);
    if (!all.ok) return all;
    const later = await page({ startMs: momentMs, endMs: range.endMs }, 0, 1, null);
    if (!later.ok) return later;
    return success(Math.max(0, Math.min(all.value.total - 1, all.value.total - later.value.total)));
  };
}
