import type { StationShapes } from "#shared/bridge/methods/compare.ts";
import type { CacheReader } from "../../../store/types.ts";

/**
 * Heights of stations in the reference that most of them have, or above the geoid if both are equal.
 * References are never mixed, because they differ by tens of metres.
 */
export function heightsOf(
  cache: CacheReader,
  stationIds: readonly string[],
): { readonly byId: ReadonlyMap<string, number>; readonly reference: StationShapes["heightReference"] } {
  const geoid = new Map<string, number>();
  const ellipsoid = new Map<string, number>();
  for (const id of stationIds) {
    const station = cache.station(id);
    if (typeof station?.orthometricHeight === "number") geoid.set(id, station.orthometricHeight);
    if (typeof station?.ellipsoidalHeight === "number") ellipsoid.set(id, station.ellipsoidalHeight);
  }
  return geoid.size >= ellipsoid.size
    ? { byId: geoid, reference: "EGM2008" }
    : { byId: ellipsoid, reference: "WGS84_ELLIPSOID" };
}
