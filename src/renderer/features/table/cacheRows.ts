import type { SeriesName } from "#shared/bridge/methods/series.ts";
import { success } from "#shared/service/error.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { nameAndUnit } from "#shared/plot/values.ts";
import { oneCell } from "./cells.ts";
import { validOrder, isByTime, type RowOrder } from "./order.ts";
import { orderedRows } from "./orderedRows.ts";
import { rowByCount, type RowQuery, type RowSource, type TableColumn, type TablePage } from "./source.ts";

/** Returns the cached rows of stations, joined by epoch. */
export function cacheRows(query: RowQuery, wanted: RowOrder, nameOf: (stationId: string) => string): RowSource {
  const { connectionId, stationIds, variables, range } = query;
  const hasSeveral = stationIds.length > 1;
  const columns = stationIds.flatMap((id) => variables.map((v) => columnOf(id, v, hasSeveral ? nameOf(id) : null)));
  const order = validOrder(wanted, columns);
  const idsOf = (page: { readonly stations: readonly TablePage["columns"][] }): TablePage["columns"] =>
    Object.fromEntries(
      stationIds.flatMap((id, i) => variables.map((v) => [columnId(id, v), page.stations[i]?.[v]] as const)),
    );
  const page: RowSource["page"] = async (part, offset, limit, signal) => {
    const answer = await bridge.series.joined({ ...query, range: part, offset, limit }, signal ? { signal } : {});
    return answer.ok ? success({ ...answer.value, columns: idsOf(answer.value) }) : answer;
  };
  const follow = (changed: () => void): (() => void) => {
    const unfollow = [
      bridge.on("cacheChanged", (change) => {
        const isAffected = change.stationIds === null || change.stationIds.some((id) => stationIds.includes(id));
        if (change.connectionId === connectionId && isAffected) changed();
      }),
      bridge.on("engineRestarted", changed),
    ];
    return () => {
      for (const stop of unfollow) stop();
    };
  };
  const seriesOf = (id: string | null): SeriesName | null => columns.find((column) => column.id === id)?.series ?? null;
  const rows = isByTime(order)
    ? { page, follow, rowAt: rowByCount(page, range) }
    : orderedRows({
        follow,
        async inOrder() {
          const { sort, filter } = order;
          const answer = await bridge.series.rowOrder({
            ...query,
            sort: { ...sort, by: seriesOf(sort.by) },
            filter: filter && { ...filter, of: seriesOf(filter.of) },
          });
          return answer.ok ? success({ timesMs: answer.value, rows: answer.value }) : answer;
        },
        async at(timesMs, signal) {
          const answer = await bridge.series.joinedAt({ ...query, timesMs }, signal ? { signal } : {});
          return answer.ok ? success({ ...answer.value, columns: idsOf(answer.value) }) : answer;
        },
      });
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
