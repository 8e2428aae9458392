import type { CatalogueStation, SortOrder, StationSortKey } from "#shared/service/catalogue.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Parsed } from "../command.ts";

/** In degrees. If `west` is greater than `east`, the box crosses the 180th meridian. */
export interface BoundingBox {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Parses four numbers in the order of the service: `59.5,24,60.5,26`, with or without brackets. */
export function parseBoundingBox(text: string): Parsed<BoundingBox> {
  const parts = text
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .split(",");
  const numbers = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [south, west, north, east] = numbers;
  if (numbers.length !== 4 || south === undefined || west === undefined || north === undefined || east === undefined)
    return failure(
      `“${text}” is not a bounding box. Write LATMIN,LONMIN,LATMAX,LONMAX in degrees, for example 59,19,71,32.`,
    );
  if (!(south >= -90 && north <= 90 && south <= north))
    return failure(`The latitudes of “${text}” must go from south to north, between -90 and 90.`);
  if (!(Math.abs(west) <= 180 && Math.abs(east) <= 180))
    return failure(`The longitudes of “${text}” must be between -180 and 180.`);
  return success({ south, west, north, east });
}

/** Whether a station lies in the box, including its edges; false for an unknown position. */
export function isInside(
  { latitudeDeg, longitudeDeg }: { readonly latitudeDeg: number | null; readonly longitudeDeg: number | null },
  { south, west, north, east }: BoundingBox,
): boolean {
  if (latitudeDeg === null || longitudeDeg === null) return false;
  const isBetween =
    west <= east ? longitudeDeg >= west && longitudeDeg <= east : longitudeDeg >= west || longitudeDeg <= east;
  return latitudeDeg >= south && latitudeDeg <= north && isBetween;
}

const SORT_VALUES: Readonly<Record<StationSortKey, (station: CatalogueStation) => string | number | null>> = {
  name: (s) => s.displayName,
  network: (s) => s.networkCode,
  updated_at: (s) => s.updatedAtMs,
  data_last_updated: (s) => s.dataLastUpdatedMs,
};

/** Sorts stations stably. Those without a value are last in both directions. */
export function sortStations(
  stations: readonly CatalogueStation[],
  by: StationSortKey,
  order: SortOrder,
): CatalogueStation[] {
  const sign = order === "asc" ? 1 : -1;
  const key = SORT_VALUES[by];
  return stations.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y);
    return sign * String(x).localeCompare(String(y), "en", { sensitivity: "base", numeric: true });
  });
}
