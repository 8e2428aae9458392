import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { RowSource, TablePage } from "./source.ts";

/** The rows that are shown, in their order. */
interface OrderedRows {
  readonly timesMs: Float64Array;
  /** What `Ordering.at` names the rows by; as long as `timesMs`. */
  readonly rows: ArrayLike<number>;
}

interface Ordering {
  inOrder(): Promise<Result<OrderedRows, AppFault>>;
  /** These rows, in this order. */
  at(
    rows: readonly number[],
    signal: AbortSignal | null,
  ): Promise<Result<Pick<TablePage, "timesMs" | "columns">, AppFault>>;
  readonly follow: RowSource["follow"];
}

/** Rows that are sorted or filtered. Their order is asked once, and again when something changed. */
export function orderedRows({ inOrder, at, follow }: Ordering): Pick<RowSource, "page" | "follow" | "rowAt"> {
  let known: Promise<Result<OrderedRows, AppFault>> | null = null;
  const ordered = async (): Promise<Result<OrderedRows, AppFault>> => {
    const asked = (known ??= inOrder());
    const answer = await asked;
    if (!answer.ok && known === asked) known = null;
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
        known = null;
        changed();
      }),
    async rowAt(momentMs) {
      const all = await ordered();
      return all.ok ? success(nextAfter(all.value.timesMs, momentMs)) : all;
    },
  };
}

/** The row of the first epoch at or after the moment, else of the last epoch. */
export function nextAfter(epochs: Float64Array, momentMs: number): number {
  let best = -1;
  let last = 0;
  for (let i = 0; i < epochs.length; i++) {
    const epoch = epochs[i]!;
    if (epoch >= momentMs && (best < 0 || epoch < epochs[best]!)) best = i;
    if (epoch > epochs[last]!) last = i;
  }
  return best < 0 ? last : best;
}
