import type { AppFault } from "#shared/fault.ts";
import type { SeriesName } from "#shared/bridge/methods/series.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Identifies rows of the cache. */
export interface RowQuery {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
}

export interface TableColumn {
  /** Key of its values in a page. */
  readonly id: string;
  /** The station, shown above the heading if there are several. */
  readonly station: string | null;
  readonly heading: string;
  /** The heading on the clipboard. */
  readonly copiedAs: string;
  /** Tooltip. */
  readonly meaning: string;
  readonly kind: "number" | "text";
  /** The series of the cache; null for a column of a file. */
  readonly series: SeriesName | null;
}

/** A page of rows, with values by column id: numbers (NaN for no value), or the texts of the service. */
export interface TablePage {
  /** Number of rows of the whole range. */
  readonly total: number;
  /** Number of rows that are not gaps. */
  readonly rows?: number;
  readonly offset: number;
  /** UTC milliseconds. */
  readonly timesMs: Float64Array;
  /** Where the row is a gap, the time of the next row; NaN for others. Absent: there are only rows with values. */
  readonly gapEndsMs?: Float64Array;
  readonly columns: { readonly [id: string]: Float64Array | readonly (string | null)[] | undefined };
}

/** Stops a call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A source of rows: the cache, or an opened file. */
export interface RowSource {
  /** Changes whenever the source returns other rows. */
  readonly key: string;
  readonly columns: readonly TableColumn[];
  readonly range: TimeRange;
  /** Reads rows in the order of time. */
  readonly byTime: (
    range: TimeRange,
    offset: number,
    limit: number,
    options: CallOptions,
  ) => Promise<Result<TablePage, AppFault>>;
  /** Another order, or only some rows; null for all rows by time. */
  readonly ordering: Ordering | null;
  /** The query to the cache, to read the causes of missing values; null for rows of a file. */
  readonly cached: RowQuery | null;
}

/** Sorts or filters rows: the order is read once, and then the rows of each page. */
export interface Ordering {
  readonly order: (options: CallOptions) => Promise<Result<OrderedRows, AppFault>>;
  readonly at: (
    rows: readonly number[],
    options: CallOptions,
  ) => Promise<Result<Pick<TablePage, "timesMs" | "columns">, AppFault>>;
}

/** The shown rows in their order. */
export interface OrderedRows {
  readonly timesMs: Float64Array;
  /** Identifies each row for `Ordering.at`; as long as `timesMs`. */
  readonly rows: ArrayLike<number>;
}

/** The rows of a table as they are shown. */
export interface ShownRows {
  readonly page: (offset: number, limit: number, options: CallOptions) => Promise<Result<TablePage, AppFault>>;
  /** Returns the row with the first epoch at or after a time in the range, else the last row. */
  readonly rowAt: (momentMs: number) => Promise<Result<number, AppFault>>;
}

/** All rows of a source by time. */
export function rowsByTime({ byTime, range }: Pick<RowSource, "byTime" | "range">): ShownRows {
  return {
    page: (offset, limit, options) => byTime(range, offset, limit, options),
    // Subtracts the number of rows from that time on from the total.
    async rowAt(momentMs) {
      const all = await byTime(range, 0, 1, {});
      if (!all.ok) return all;
      const later = await byTime({ startMs: momentMs, endMs: range.endMs }, 0, 1, {});
      if (!later.ok) return later;
      return success(Math.max(0, Math.min(all.value.total - 1, all.value.total - later.value.total)));
    },
  };
}
