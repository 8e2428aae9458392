import { success, type Result } from "#shared/service/error.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { nameAndUnit } from "../../plot/values.ts";
import { oneCell } from "./cells.ts";
import { fitting, isByTime, type RowOrder } from "./order.ts";
import { rowByCount, type RowQuery, type RowSource, type TableColumn, type TablePage } from "./source.ts";
import type { JoinedPage } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";

/** The rows of stations as the cache holds them, side by side, joined by epoch. */
export function cacheRows(query: RowQuery, wanted: RowOrder, nameOf: (stationId: string) => string): RowSource {
  const { connectionId, stationIds, variables, range } = query;
  const areMany = stationIds.length > 1;
  const columns = stationIds.flatMap((id) => variables.map((v) => columnOf(id, v, areMany ? nameOf(id) : null)));
  const order = fitting(wanted, columns);
  const idsOf = (page: { readonly stations: readonly TablePage["columns"][] }): TablePage["columns"] =>
    Object.fromEntries(
      stationIds.flatMap((id, i) => variables.map((v) => [columnId(id, v), page.stations[i]?.[v]] as const)),
    );
  const page: RowSource["page"] = async (part, offset, limit, signal) => {
    const answer = await bridge.series.joined({ ...query, range: part, offset, limit }, signal ? { signal } : {});
    return answer.ok ? success({ ...answer.value, columns: idsOf(answer.value) }) : answer;
  };
  const follow = (changed: () => void): (() => void) => {
    const off = [
      bridge.on("cacheChanged", (change) => {
        const isMine = change.stationIds === null || change.stationIds.some((id) => stationIds.includes(id));
        if (change.connectionId === connectionId && isMine) changed();
      }),
      bridge.on("engineRestarted", changed),
    ];
    return () => {
      for (const each of off) each();
    };
  };
  const rows = isByTime(order)
    ? { page, follow, rowAt: rowByCount(page, range) }
    : orderedRows(query, order, idsOf, follow);
  return { ...rows, key: JSON.stringify([query, order]), columns, range, cached: query };
}

function columnId(stationId: string, variable: Variable): string {
  return JSON.stringify([stationId, variable]);
}

function columnOf(stationId: string, variable: Variable, station: string | null): TableColumn {
  const { meaning, kind, unit } = variableInfo(variable);
  const copiedAs = unit ? `${variable} (${unit})` : variable;
  return {
    id: columnId(stationId, variable),
    station,
    heading: nameAndUnit(variable),
    copiedAs: station === null ? copiedAs : oneCell(`${station} ${copiedAs}`),
    meaning: station === null ? meaning : `${station}: ${meaning}`,
    kind: kind === "scalar" ? "number" : "text",
    series: { stationId, variable },
  };
}

/**
 * Rows of the cache that are sorted or filtered. Their epochs are asked once, and again when something changed; a page
 * is what the cache has at its epochs.
 */
function orderedRows(
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
