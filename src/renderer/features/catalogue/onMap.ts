import { create } from "zustand";

/** Id of the column of the map. */
export const ON_MAP = "onMap";

/** Stations that the list can be limited to while the map is shown. */
export type Part = "visible" | "withoutValue" | "unplaced";

/** What the map shows of the stations, by id. */
interface MapOfStations {
  /** The shown quantity and its unit, as the heading of its column. */
  readonly title: string;
  readonly meaning: string;
  /** The value of a station, or the reason why it has none; null while unknown. */
  readonly textOf: (stationId: string) => string | null;
  readonly hintOf: (stationId: string) => string | null;
  /** NaN for none. */
  readonly valueOf: (stationId: string) => number;
  readonly parts: Readonly<Record<Part, ReadonlySet<string>>>;
}

interface OnMap {
  /** null while no map is shown. */
  readonly map: MapOfStations | null;
  /** null: all stations. */
  readonly only: Part | null;
}

/** The map as the list of stations knows it, which has a column of its values and can be limited to some of its stations. */
export const useOnMap = create<OnMap>(() => ({ map: null, only: null }));

export function listOnly(only: Part | null): void {
  useOnMap.setState({ only });
}
