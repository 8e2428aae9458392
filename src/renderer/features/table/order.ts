import type { TableColumn } from "./source.ts";

/** How rows are sorted, and which of them are shown. Columns are named by their ids. */
export interface RowOrder {
  readonly sort: Sort;
  /** null shows all. */
  readonly filter: Filter | null;
}

/** By the values of a column, rows without one last; by time where null. */
export interface Sort {
  readonly by: string | null;
  readonly isDescending: boolean;
}

/** Rows with a value in one column, or in every one (null), none of them outside of the bounds. */
export interface Filter {
  readonly of: string | null;
  readonly atLeast: number | null;
  readonly atMost: number | null;
}

export const BY_TIME: RowOrder = { sort: { by: null, isDescending: false }, filter: null };

/** Whether rows are as their source has them, page by page. */
export function isByTime({ sort, filter }: RowOrder): boolean {
  return filter === null && sort.by === null && !sort.isDescending;
}

/** The order without columns that are not there any more. */
export function fitting({ sort, filter }: RowOrder, columns: readonly Pick<TableColumn, "id">[]): RowOrder {
  const isThere = (id: string | null): boolean => id === null || columns.some((column) => column.id === id);
  return {
    sort: isThere(sort.by) ? sort : BY_TIME.sort,
    filter: filter && isThere(filter.of) ? filter : null,
  };
}

/** What a press on a heading sorts by. */
export function pressed(sort: Sort, columnId: string | null): Sort {
  return { by: columnId, isDescending: columnId === sort.by && !sort.isDescending };
}
