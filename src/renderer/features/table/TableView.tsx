import { Rows3 } from "lucide-react";
import { useMemo, useState } from "react";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { runCommand } from "../../stores/commands.ts";
import { useConnection } from "../../stores/connection.ts";
import { readModeOf, shownVariables, useChosen } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { useShownSeries } from "../files/shown.ts";
import { useFiles } from "../files/store.ts";
import { cacheRows } from "./cacheRows.ts";
import { offered } from "./choice.ts";
import { fileTables } from "./fileRows.ts";
import { FileTableView } from "./FileTableView.tsx";
import { RowTable } from "./RowTable.tsx";
import classes from "./table.module.css";

/** The rows of one of the chosen stations, or of a station of an opened file, to the digit. */
export function TableView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const chosen = useChosen();
  const { stationIds, range } = chosen;
  const byId = useCatalogue((s) => s.byId);
  const files = useFiles((s) => s.files);
  const shown = useShownSeries();
  const tables = useMemo(() => offered(fileTables(files), shown), [files, shown]);
  const [wanted, setWanted] = useState<string | null>(null);
  if (connectionId === null) return null;
  const choices = [
    ...stationIds.map((id) => ({ value: id, label: stationName(byId, id) })),
    ...tables.map(({ id, label, file }) => ({ value: id, label: `${label} · ${file.name}`, detail: "file" })),
  ];
  const current = choices.find((c) => c.value === wanted) ?? choices[0];
  if (!current) {
    return (
      <EmptyState icon={<Rows3 aria-hidden />} title="No station is chosen">
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
  const query = { connectionId, stationId: current.value, variables: shownVariables(chosen), range };
  return (
    <RowTable
      source={cacheRows({ ...query, mode: readModeOf(chosen) })}
      of=""
      station={choice}
      empty={
        <EmptyState
          title="No rows in this range"
          actions={<Button onPress={() => void runCommand("fetch")}>Fetch</Button>}
        >
          No data of this station are cached for the chosen variables.
        </EmptyState>
      }
    />
  );
}
