import type { AppFault } from "#shared/fault.ts";
import type { ReadMode } from "#shared/bridge/words.ts";
import type { Result } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** Rows of the cache. */
export interface RowQuery {
  readonly connectionId: string;
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
}

export interface TableColumn {
  /** Names its values in a page. */
  readonly id: string;
  readonly heading: string;
  /** Its heading on the clipboard. */
  readonly copiedAs: string;
  /** Said when it is pointed at. */
  readonly meaning: string;
  readonly kind: "number" | "text";
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
  /** Calls back when rows may have changed, until the returned function is called. */
  follow(changed: () => void): () => void;
  /** Names the series of the cache, where the causes of absent values can be asked; null for rows of a file. */
  readonly cached: RowQuery | null;
}
