import { cleanupOf } from "#shared/async.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { RowSource, TableColumn, TablePage } from "./source.ts";

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

/** The shown rows in their order. */
interface OrderedRows {
  readonly timesMs: Float64Array;
  /** Identifies each row for `Ordering.at`; as long as `timesMs`. */
  readonly rows: ArrayLike<number>;
}

interface Ordering {
  inOrder(signal: AbortSignal): Promise<Result<OrderedRows, AppFault>>;
  /** Reads rows in the given order. */
  at(
    rows: readonly number[],
    signal: AbortSignal | null,
  ): Promise<Result<Pick<TablePage, "timesMs" | "columns">, AppFault>>;
  readonly follow: RowSource["follow"];
}

/** A source of sorted or filtered rows. The order is requested once, and again after changes. */
export function orderedRows({ inOrder, at, follow }: Ordering): Pick<RowSource, "page" | "follow" | "rowAt"> {
  let pending: Promise<Result<OrderedRows, AppFault>> | null = null;
  let sorting = new AbortController();
  const ordered = async (): Promise<Result<OrderedRows, AppFault>> => {
    const request = (pending ??= inOrder(sorting.signal));
    const answer = await request;
    if (!answer.ok && pending === request) pending = null;
    return answer;
  };
  return {
    async page(_range, offset, limit, signal) {
      const all = await ordered();
      if (!all.ok) return all;
      const { rows } = all.value;
      const end = Math.min(rows.length, offset + limit);
      const wanted = Array.from({ length: Math.max(0, end - offset) }, (_, i) => rows[offset + i] ?? 0);
      const answer = await at(wanted, signal);
      if (!answer.ok) return answer;
      const { timesMs, columns } = answer.value;
      return success({ timesMs, columns, offset, total: rows.length });
    },
    follow: (changed) =>
      cleanupOf(
        follow(() => {
          pending = null;
          changed();
        }),
        () => {
          sorting.abort();
          [sorting, pending] = [new AbortController(), null];
        },
      ),
    async rowAt(momentMs) {
      const all = await ordered();
      return all.ok ? success(nextAfter(all.value.timesMs, momentMs)) : all;
    },
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
