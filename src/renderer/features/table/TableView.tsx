import { Rows3 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { MAX_JOINED_STATIONS, type SeriesName } from "#shared/bridge/methods/series.ts";
import { groupsFirst } from "#shared/station/group.ts";
import { nameAndUnit } from "#shared/plot/values.ts";
import { success } from "#shared/service/error.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { useGroupPlaces } from "../../stores/groups.ts";
import { readModeOf, shownVariables, useSelection } from "../../stores/selection.ts";
import { Select } from "../../ui/choices.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import type { ShownSeries } from "../files/fileLines.ts";
import { useShownSeries } from "../files/shownSeries.ts";
import { useFiles } from "../files/store.ts";
import { type FileTable, fileTables, FileTableView } from "./FileTableView.tsx";
import classes from "./table.module.css";
import { bridge } from "../../bridge/index.ts";
import { oneCell } from "./cells.ts";
import { BY_TIME, isByTime, type RowOrder, validOrder } from "./order.ts";
import { RowTable } from "./RowTable.tsx";
import type { RowQuery, RowSource, TableColumn, TablePage } from "./source.ts";

/** Maximum number of tables to choose from; those of drawn series are always included. */
const MAX_TABLES = 100;

/** Returns the tables to choose from: those with drawn series first, then the others. */
export function offeredTables(tables: readonly FileTable[], shown: readonly ShownSeries[]): readonly FileTable[] {
  const drawn = new Set(shown.map(({ file, series }) => `${file.id} ${series.id}`));
  const isDrawn = ({ file, series }: FileTable): boolean => series.some((s) => drawn.has(`${file.id} ${s.id}`));
  const first = tables.filter(isDrawn);
  return [...first, ...tables.filter((table) => !isDrawn(table))].slice(0, MAX_TABLES);
}

/** Differs from every id of a station or a table. */
const TOGETHER = "\u0000together";

function togetherLabel(shown: number, chosen: number): string {
  return shown < chosen ? `First ${shown} of ${count(chosen)} stations side by side` : `${shown} stations side by side`;
}

/** Rows at full precision: of the selected stations side by side, of one of them, or of a station of an opened file. */
export function TableView() {
  const { stationIds: chosenIds } = useSelection();
  const places = useGroupPlaces();
  const stationIds = groupsFirst(chosenIds, (id) => id, places);
  const byId = useCatalogue((s) => s.byId);
  const files = useFiles((s) => s.files);
  const shown = useShownSeries();
  const tables = useMemo(() => offeredTables(fileTables(files), shown), [files, shown]);
  const [wanted, setWanted] = useState<string | null>(null);
  const together = stationIds.slice(0, MAX_JOINED_STATIONS);
  const choices = [
    ...(stationIds.length > 1 ? [{ value: TOGETHER, label: togetherLabel(together.length, stationIds.length) }] : []),
    ...stationIds.map((id) => ({ value: id, label: stationName(byId, id) })),
    ...tables.map(({ id, label, file }) => ({ value: id, label: `${label} · ${file.name}`, detail: "file" })),
  ];
  const current = choices.find((c) => c.value === wanted) ?? choices[0];
  if (!current) {
    return <NoStation icon={Rows3}>Select a station in the list to see its rows as received.</NoStation>;
  }
  const choice =
    choices.length > 1 ? (
      <Select label="Station of the table" choices={choices} value={current.value} onChange={setWanted} />
    ) : (
      <h3 className={classes["station"]}>{current.label}</h3>
    );
  const table = tables.find((t) => t.id === current.value);
  if (table) return <FileTableView table={table} choice={choice} />;
  const shownIds = current.value === TOGETHER ? together : [current.value];
  return <CacheTableView stationIds={shownIds} choice={choice} />;
}

/** Returns the cached rows of stations, joined by epoch. */
function cacheRows(query: RowQuery, wanted: RowOrder, nameOf: (stationId: string) => string): RowSource {
  const { stationIds, variables, range } = query;
  const hasSeveral = stationIds.length > 1;
  const columns = stationIds.flatMap((id) =>
    variables.map((v) => variableColumn(id, v, hasSeveral ? nameOf(id) : null)),
  );
  const order = validOrder(wanted, columns);
  const idsOf = (page: { readonly stations: readonly TablePage["columns"][] }): TablePage["columns"] =>
    Object.fromEntries(
      stationIds.flatMap((id, i) => variables.map((v) => [columnId(id, v), page.stations[i]?.[v]] as const)),
    );
  const seriesOf = (id: string | null): SeriesName | null => columns.find((column) => column.id === id)?.series ?? null;
  return {
    key: JSON.stringify([query, order]),
    columns,
    range,
    cached: query,
    async byTime(part, offset, limit, options) {
      const answer = await bridge.series.joined({ ...query, range: part, offset, limit }, options);
      return answer.ok ? success({ ...answer.value, columns: idsOf(answer.value) }) : answer;
    },
    ordering: isByTime(order)
      ? null
      : {
          async order(options) {
            const { sort, filter } = order;
            const input = {
              ...query,
              sort: { ...sort, by: seriesOf(sort.by) },
              filter: filter && { ...filter, of: seriesOf(filter.of) },
            };
            const answer = await bridge.series.rowOrder(input, options);
            return answer.ok ? success({ timesMs: answer.value, rows: answer.value }) : answer;
          },
          async at(timesMs, options) {
            const answer = await bridge.series.joinedAt({ ...query, timesMs }, options);
            return answer.ok ? success({ ...answer.value, columns: idsOf(answer.value) }) : answer;
          },
        },
  };
}

function columnId(stationId: string, variable: Variable): string {
  return JSON.stringify([stationId, variable]);
}

function variableColumn(stationId: string, variable: Variable, station: string | null): TableColumn {
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
  readonly stationIds: readonly string[];
  readonly choice: ReactNode;
}

/** The cached rows of stations side by side, with sorting and filter. */
function CacheTableView({ stationIds, choice }: CacheTableViewProps) {
  const connectionId = useConnectionId();
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
      copiedFrom=""
      order={validOrder(wanted, source.columns)}
      onOrder={setOrder}
      station={choice}
      empty={
        <EmptyState title="No rows in this range">
          {stationIds.length > 1 ? "No data of these stations are" : "No data of this station are"} cached for the
          selected variables.
        </EmptyState>
      }
    />
  );
}
