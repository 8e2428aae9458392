import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { RowSource, TablePage } from "./source.ts";

/** The shown rows in their order. */
interface OrderedRows {
  readonly timesMs: Float64Array;
  /** Identifies each row for `Ordering.at`; as long as `timesMs`. */
  readonly rows: ArrayLike<number>;
}

interface Ordering {
  inOrder(): Promise<Result<OrderedRows, AppFault>>;
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
  const ordered = async (): Promise<Result<OrderedRows, AppFault>> => {
    const request = (pending ??= inOrder());
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
      return answer.ok ? success({ ...answer.value, offset, total: rows.length }) : answer;
    },
    follow: (changed) =>
      follow(() => {
        pending = null;
        changed();
      }),
    async rowAt(momentMs) {
      const all = await ordered();
      return all.ok ? success(nextAfter(all.value.timesMs, momentMs)) : all;
    },
  };
}

/** Returns the row with the first epoch at or after a time, else the row with the last epoch. */
export function nextAfter(epochs: Float64Array, momentMs: number): number {
  let [next, nextMs] = [-1, Infinity];
  let [last, lastMs] = [0, -Infinity];
  for (let row = 0; row < epochs.length; row++) {
    const epochMs = epochs[row]!;
    if (epochMs >= momentMs && epochMs < nextMs) [next, nextMs] = [row, epochMs];
    if (epochMs > lastMs) [last, lastMs] = [row, epochMs];
  }
  return next < 0 ? last : next;
}
