import { Rows3 } from "lucide-react";
import { useMemo, useState } from "react";
import { MAX_JOINED_STATIONS } from "#shared/bridge/methods/series.ts";
import { groupsFirst } from "#shared/station/group.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { useGroupPlaces } from "../../stores/groups.ts";
import { useSelection } from "../../stores/selection.ts";
import { Select } from "../../ui/choices.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import type { ShownSeries } from "../files/fileLines.ts";
import { useShownSeries } from "../files/shownSeries.ts";
import { useFiles } from "../files/store.ts";
import { CacheTableView } from "./CacheTableView.tsx";
import { type FileTable, fileTables, FileTableView } from "./FileTableView.tsx";
import classes from "./table.module.css";

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
  return shown < chosen ? `First ${shown} of ${chosen} stations side by side` : `${shown} stations side by side`;
}

/** Rows at full precision: of the selected stations side by side, of one of them, or of a station of an opened file. */
export function TableView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const { stationIds: chosenIds } = useSelection();
  const places = useGroupPlaces();
  const stationIds = groupsFirst(chosenIds, (id) => id, places);
  const byId = useCatalogue((s) => s.byId);
  const files = useFiles((s) => s.files);
  const shown = useShownSeries();
  const tables = useMemo(() => offeredTables(fileTables(files), shown), [files, shown]);
  const [wanted, setWanted] = useState<string | null>(null);
  if (connectionId === null) return null;
  const together = stationIds.slice(0, MAX_JOINED_STATIONS);
  const choices = [
    ...(stationIds.length > 1 ? [{ value: TOGETHER, label: togetherLabel(together.length, stationIds.length) }] : []),
    ...stationIds.map((id) => ({ value: id, label: stationName(byId, id) })),
    ...tables.map(({ id, label, file }) => ({ value: id, label: `${label} · ${file.name}`, detail: "file" })),
  ];
  const current = choices.find((c) => c.value === wanted) ?? choices[0];
  if (!current) {
    return (
      <EmptyState icon={<Rows3 aria-hidden />} title="No station selected">
        Select a station in the list to see its rows as received.
      </EmptyState>
    );
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
  return <CacheTableView connectionId={connectionId} stationIds={shownIds} choice={choice} />;
}
