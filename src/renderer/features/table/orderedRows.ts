import type { JoinedPage } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import type { RowOrder } from "./order.ts";
import type { RowQuery, RowSource, TablePage } from "./source.ts";

/**
 * Rows of the cache that are sorted or filtered. Their epochs are asked once, and again when something changed; a page
 * is what the cache has at its epochs.
 */
export function orderedRows(
  query: RowQuery,
  order: RowOrder,
  columnsOf: (page: JoinedPage) => TablePage["columns"],
  follow: RowSource["follow"],
): Pick<RowSource, "page" | "follow" | "rowAt"> {
  let epochs: Promise<Result<Float64Array, AppFault>> | null = null;
  const inOrder = async (): Promise<Result<Float64Array, AppFault>> => {
    const asked = (epochs ??= bridge.series.rowOrder({ ...query, ...order }));
    const answer = await asked;
    if (!answer.ok && epochs === asked) epochs = null;
    return answer;
  };
  return {
    async page(_range, offset, limit, signal) {
      const known = await inOrder();
      if (!known.ok) return known;
      const timesMs = Array.from(known.value.subarray(offset, offset + limit));
      const answer = await bridge.series.joinedAt({ ...query, timesMs }, signal ? { signal } : {});
      if (!answer.ok) return answer;
      return success({ ...answer.value, offset, total: known.value.length, columns: columnsOf(answer.value) });
    },
    follow: (changed) =>
      follow(() => {
        epochs = null;
        changed();
      }),
    async rowAt(momentMs) {
      const known = await inOrder();
      return known.ok ? success(nextAfter(known.value, momentMs)) : known;
    },
  };
}

/** The row of the first epoch at or after the moment, of the last epoch where there is none. */
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
