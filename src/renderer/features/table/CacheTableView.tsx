import { type ReactNode, useMemo, useState } from "react";
import type { SeriesName } from "#shared/bridge/methods/series.ts";
import { nameAndUnit } from "#shared/plot/values.ts";
import { success } from "#shared/service/error.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { runCommand } from "../../stores/commands.ts";
import { readModeOf, shownVariables, useSelection } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { oneCell } from "./cells.ts";
import { cleanupOf } from "#shared/async.ts";
import { BY_TIME, isByTime, orderedRows, type RowOrder, validOrder } from "./order.ts";
import { RowTable } from "./RowTable.tsx";
import { rowByCount, type RowQuery, type RowSource, type TableColumn, type TablePage } from "./source.ts";

/** Returns the cached rows of stations, joined by epoch. */
function cacheRows(query: RowQuery, wanted: RowOrder, nameOf: (stationId: string) => string): RowSource {
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
  const follow = (changed: () => void): (() => void) =>
    cleanupOf(
      bridge.on("cacheChanged", (change) => {
        const isAffected = change.stationIds === null || change.stationIds.some((id) => stationIds.includes(id));
        if (change.connectionId === connectionId && isAffected) changed();
      }),
      bridge.on("engineRestarted", changed),
    );
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

interface CacheTableViewProps {
  readonly connectionId: string;
  readonly stationIds: readonly string[];
  readonly choice: ReactNode;
}

/** The cached rows of stations side by side, with sorting and filter. */
export function CacheTableView({ connectionId, stationIds, choice }: CacheTableViewProps) {
  const chosen = useSelection();
  const byId = useCatalogue((s) => s.byId);
  const [wanted, setOrder] = useState(BY_TIME);
  const query = { connectionId, stationIds, variables: shownVariables(chosen), range: chosen.range };
  const queryKey = JSON.stringify([query, readModeOf(chosen), wanted]);
  const source = useMemo(
    () => cacheRows({ ...query, mode: readModeOf(chosen) }, wanted, (id) => stationName(byId, id)),
    // oxlint-disable-next-line react/exhaustive-deps -- `queryKey` stands for the query, a new object in every render
    [queryKey, byId],
  );
  return (
    <RowTable
      source={source}
      origin=""
      order={validOrder(wanted, source.columns)}
      onOrder={setOrder}
      station={choice}
      empty={
        <EmptyState
          title="No rows in this range"
          actions={<Button onPress={() => void runCommand("fetch")}>Fetch</Button>}
        >
          {stationIds.length > 1 ? "No data of these stations are" : "No data of this station are"} cached for the
          selected variables.
        </EmptyState>
      }
    />
  );
}
