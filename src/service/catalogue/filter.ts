import type { BoundingBox } from "#shared/service/query.ts";
import type { WorldStation } from "../world/types.ts";
import { obfuscatedPosition } from "./position.ts";

/** The station filter of 4.1; an empty list or null filters nothing. */
export interface StationCriteria {
  readonly countryCodes: readonly string[];
  readonly networkIds: readonly string[];
  readonly search: string | null;
  readonly bbox: BoundingBox | null;
  /** Whether the caller may know where stations are; if not, no station is known to lie in a box. */
  readonly hasLocation: boolean;
}

/**
 * Whether a station matches. The box is held against the position that the catalogue shows: the true one could else be
 * found by asking for smaller and smaller boxes.
 */
export function matches(station: WorldStation, criteria: StationCriteria): boolean {
  const { countryCodes, networkIds, search, bbox } = criteria;
  if (countryCodes.length > 0 && !countryCodes.includes(station.countryCode)) return false;
  if (networkIds.length > 0 && !networkIds.includes(station.network.id)) return false;
  if (search !== null) {
    const wanted = caseless(search);
    const isFound = [station.displayName, station.locationAlias].some((text) => caseless(text).includes(wanted));
    if (!isFound) return false;
  }
  return bbox === null || (criteria.hasLocation && isInside(station, bbox));
}

/** Lower case first, then upper: so that both forms of sigma, and ß and SS, are one. Composed, so that ä is ä. */
function caseless(text: string): string {
  return text.normalize("NFC").toLowerCase().toUpperCase();
}

/** Edges belong to the box. Where its west is greater than its east it crosses the 180° meridian. */
function isInside(station: WorldStation, bbox: BoundingBox): boolean {
  const { latitudeDeg, longitudeDeg } = obfuscatedPosition(station);
  if (latitudeDeg < bbox.latitudeMin || latitudeDeg > bbox.latitudeMax) return false;
  const isEast = longitudeDeg >= bbox.longitudeMin;
  const isWest = longitudeDeg <= bbox.longitudeMax;
  return bbox.longitudeMin <= bbox.longitudeMax ? isEast && isWest : isEast || isWest;
}
