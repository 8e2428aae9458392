import { CalendarDays } from "lucide-react";
import { useConnection } from "../../stores/connection.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { AvailabilityTable } from "./AvailabilityTable.tsx";
import { useShown } from "./useShown.ts";

/** How complete every station is, day by day, and why not. */
export function AvailabilityView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  return connectionId === null ? null : <Availability key={connectionId} connectionId={connectionId} />;
}

function Availability({ connectionId }: { readonly connectionId: string }) {
  const shown = useShown(connectionId);
  const known = useCatalogue((s) => s.catalogue.stations.length);
  if (shown.stations === 0) {
    return (
      <EmptyState
        icon={<CalendarDays aria-hidden />}
        title="No station selected"
        actions={
          known > 0 && shown.scope === "chosen" ? (
            <Button onPress={() => shown.setScope("all")}>Show all stations</Button>
          ) : undefined
        }
      >
        Select stations in the list. Each gets a row and each UTC day a column, coloured by completeness.
      </EmptyState>
    );
  }
  return <AvailabilityTable connectionId={connectionId} shown={shown} />;
}
