import type { TableColumn } from "../../ui/grid/columns.ts";
import { StationLine } from "../series/Legend.tsx";
import type { ComparedStations } from "./useCompared.ts";

/** The column of the names of stations, each after a sample of its line. */
export function stationColumn<Row extends { readonly stationId: string }>({
  stations,
  nameOf,
}: ComparedStations): TableColumn<Row> {
  const slots = new Map(stations.map((s) => [s.id, s.slot]));
  return {
    id: "station",
    title: "Station",
    isHeading: true,
    isSticky: true,
    text: ({ stationId }) => nameOf(stationId),
    renderCell: ({ stationId }) => <StationLine slot={slots.get(stationId) ?? 0} name={nameOf(stationId)} />,
  };
}
