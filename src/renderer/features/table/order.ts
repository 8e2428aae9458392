import type { RowFilter, RowSort } from "#shared/bridge/methods/series.ts";
import type { TableColumn } from "./source.ts";

/** How rows of the cache are sorted, and which of them are shown. */
export interface RowOrder {
  readonly sort: RowSort;
  /** null shows all. */
  readonly filter: RowFilter | null;
}

export const BY_TIME: RowOrder = { sort: { by: null, isDescending: false }, filter: null };

/** Whether rows are as the cache gives them, page by page. */
export function isByTime({ sort, filter }: RowOrder): boolean {
  return filter === null && sort.by === null && !sort.isDescending;
}

/** The order without columns that are not there any more. */
export function fitting({ sort, filter }: RowOrder, columns: readonly TableColumn[]): RowOrder {
  const isThere = (name: RowSort["by"]): boolean => name === null || columns.some((column) => isOf(column, name));
  return {
    sort: isThere(sort.by) ? sort : BY_TIME.sort,
    filter: filter && isThere(filter.of) ? filter : null,
  };
}

/** Whether the column shows that series; with null, whether it is the time, which is no series. */
export function isOf({ series }: Pick<TableColumn, "series">, name: RowSort["by"]): boolean {
  return series?.stationId === name?.stationId && series?.variable === name?.variable;
}

/** What a press on a heading sorts by. */
export function pressed(sort: RowSort, series: RowSort["by"]): RowSort {
  return { by: series, isDescending: isOf({ series }, sort.by) && !sort.isDescending };
}
