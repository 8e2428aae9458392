import { Map as MapIcon } from "lucide-react";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useConnection } from "../../stores/connection.ts";
import { EmptyState, FaultNote } from "../../ui/notes.tsx";
import { RefreshButton } from "../catalogue/RefreshButton.tsx";
import { MapDesk } from "./MapDesk.tsx";

/** All stations on a map, coloured by a property or by their values at a moment. */
export function MapView() {
  const connectionId = useConnection((s) => s.current?.info.id ?? null);
  const hasStations = useCatalogue((s) => s.catalogue.stations.length > 0);
  const { isRefreshing, fault } = useCatalogue();
  if (connectionId === null) return null;
  if (hasStations) return <MapDesk key={connectionId} connectionId={connectionId} />;
  return (
    <EmptyState
      icon={<MapIcon aria-hidden />}
      title={isRefreshing ? "Downloading the station list" : "No stations to show"}
      actions={isRefreshing ? null : <RefreshButton />}
    >
      {fault ? <FaultNote fault={fault} /> : "The map shows the stations of the catalogue, which is downloaded once."}
    </EmptyState>
  );
}
