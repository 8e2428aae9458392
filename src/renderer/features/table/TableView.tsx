import { Rows3 } from "lucide-react";
import { useState } from "react";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { readModeOf, shownVariables, useChosen } from "../../stores/selection.ts";
import { Select } from "../../ui/choices.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { RowTable } from "./RowTable.tsx";
import classes from "./table.module.css";

/** The rows of one of the chosen stations, to the digit. */
export function TableView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const chosen = useChosen();
  const { stationIds, range } = chosen;
  const variables = shownVariables(chosen);
  const byId = useCatalogue((s) => s.byId);
  const [wanted, setWanted] = useState<string | null>(null);
  const stationId = wanted !== null && stationIds.includes(wanted) ? wanted : stationIds[0];
  if (connectionId === null) return null;
  if (stationId === undefined) {
    return (
      <EmptyState icon={<Rows3 aria-hidden />} title="No station is chosen">
        Tick a station in the list at the left: its rows stand here, as they were received.
      </EmptyState>
    );
  }
  const choices = stationIds.map((id) => ({ value: id, label: stationName(byId, id) }));
  return (
    <RowTable
      query={{ connectionId, stationId, variables, range, mode: readModeOf(chosen) }}
      station={
        choices.length > 1 ? (
          <Select label="Station of the table" choices={choices} value={stationId} onChange={setWanted} />
        ) : (
          <h3 className={classes["station"]}>{stationName(byId, stationId)}</h3>
        )
      }
    />
  );
}
