import type { CatalogueStation, SortOrder, StationSortKey } from "#shared/service/catalogue.ts";

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
