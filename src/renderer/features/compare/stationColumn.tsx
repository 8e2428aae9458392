import type { TableColumn } from "../../ui/grid/columns.ts";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { LineSwatch } from "../series/Legend.tsx";
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
    renderCell: ({ stationId }) => (
      <span className="row gap-1.5 min-w-0">
        <LineSwatch slot={slots.get(stationId) ?? 0} />
        <MiddleCut text={nameOf(stationId)} />
      </span>
    ),
  };
}
