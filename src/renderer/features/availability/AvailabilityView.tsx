import { CalendarDays } from "lucide-react";
import { useConnection } from "../../stores/connection.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { AvailabilityTable } from "./AvailabilityTable.tsx";
import { useTableState } from "./useTableState.ts";

/** The completeness of every station by day, with the causes of gaps. */
export function AvailabilityView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  return connectionId === null ? null : <Availability key={connectionId} connectionId={connectionId} />;
}

function Availability({ connectionId }: { readonly connectionId: string }) {
  const table = useTableState(connectionId);
  const known = useCatalogue((s) => s.catalogue.stations.length);
  if (table.stationCount === 0) {
    return (
      <EmptyState
        icon={<CalendarDays aria-hidden />}
        title="No station selected"
        actions={
          known > 0 && table.scope === "chosen" ? (
            <Button onPress={() => table.setScope("all")}>Show all stations</Button>
          ) : undefined
        }
      >
        Select stations in the list. Each gets a row and each UTC day a column, coloured by completeness.
      </EmptyState>
    );
  }
  return <AvailabilityTable connectionId={connectionId} table={table} />;
}
