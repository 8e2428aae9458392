import type { SortOrder, StationSortKey } from "#shared/service/catalogue.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { World, WorldStation } from "../world/types.ts";

/** Sorts by one of the four keys of 4.1. Stations without a value come last in both orders; ties go by id. */
export function sortedStations(
  stations: readonly WorldStation[],
  key: StationSortKey,
  order: SortOrder,
  world: World,
  nowMs: UtcMs,
): WorldStation[] {
  const sign = order === "asc" ? 1 : -1;
  return stations
    .map((station) => ({ station, value: valueOf(station, key, world, nowMs) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) {
        if (a.value !== b.value) return a.value === null ? 1 : -1;
      } else if (a.value !== b.value) {
        return a.value < b.value ? -sign : sign;
      }
      return a.station.id < b.station.id ? -1 : 1;
    })
    .map((entry) => entry.station);
}

function valueOf(station: WorldStation, key: StationSortKey, world: World, nowMs: UtcMs): string | number | null {
  switch (key) {
    case "name":
      return station.displayName;
    case "network":
      return station.network.code;
    case "updated_at":
      return station.updatedAtMs;
    case "data_last_updated":
      return world.lastUpdated(station, nowMs);
  }
}
