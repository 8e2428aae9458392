import { success } from "#shared/service/error.ts";
import type { OrderedRows, Ordering, ShownRows, TableColumn } from "./source.ts";

/** Sorting and filter of rows; columns are identified by their ids. */
export interface RowOrder {
  readonly sort: Sort;
  /** null shows all rows. */
  readonly filter: Filter | null;
}

/** Sorts by a column, rows without a value last; null sorts by time. */
export interface Sort {
  readonly by: string | null;
  readonly isDescending: boolean;
}

/** Keeps rows with a value within the bounds in one column, or (null) in every column. */
export interface Filter {
  readonly of: string | null;
  readonly atLeast: number | null;
  readonly atMost: number | null;
}

export const BY_TIME: RowOrder = { sort: { by: null, isDescending: false }, filter: null };

/** Whether rows are in the order of their source, so that pages can be read directly. */
export function isByTime({ sort, filter }: RowOrder): boolean {
  return filter === null && sort.by === null && !sort.isDescending;
}

/** Returns the order without columns that no longer exist. */
export function validOrder({ sort, filter }: RowOrder, columns: readonly Pick<TableColumn, "id">[]): RowOrder {
  const exists = (id: string | null): boolean => id === null || columns.some((column) => column.id === id);
  return {
    sort: exists(sort.by) ? sort : BY_TIME.sort,
    filter: filter && exists(filter.of) ? filter : null,
  };
}

/** Sorted or filtered rows. */
export function rowsInOrder({ timesMs, rows }: OrderedRows, at: Ordering["at"]): ShownRows {
  return {
    async page(offset, limit, options) {
      const end = Math.min(rows.length, offset + limit);
      const wanted = Array.from({ length: Math.max(0, end - offset) }, (_, i) => rows[offset + i] ?? 0);
      const answer = await at(wanted, options);
      if (!answer.ok) return answer;
      // The counts of an answer about some rows are not those of the table.
      const { timesMs: epochs, columns } = answer.value;
      return success({ timesMs: epochs, columns, offset, total: rows.length });
    },
    rowAt: (momentMs) => Promise.resolve(success(nextAfter(timesMs, momentMs))),
  };
}

/** Returns the row with the first epoch at or after a time, else the row with the last epoch. */
function nextAfter(epochs: Float64Array, momentMs: number): number {
  let [next, nextMs] = [-1, Infinity];
  let [last, lastMs] = [0, -Infinity];
  for (let row = 0; row < epochs.length; row++) {
    const epochMs = epochs[row]!;
    if (epochMs >= momentMs && epochMs < nextMs) [next, nextMs] = [row, epochMs];
    if (epochMs > lastMs) [last, lastMs] = [row, epochMs];
  }
  return next < 0 ? last : next;
}
