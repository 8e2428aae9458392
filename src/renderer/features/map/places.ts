import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { many } from "../../ui/text.ts";
import type { Position } from "../../map/camera.ts";

/**
 * Why a station has no position on the map:
 * - notEntitled: the catalogue has no position for any station, which means that the key is not entitled to positions
 * - none: the catalogue has no position for this station, but for others
 * - invalid: latitude or longitude is out of range
 */
type UnplacedBecause = "notEntitled" | "none" | "invalid";

type Placed = Pick<CatalogueStation, "latitudeDeg" | "longitudeDeg">;

/** Returns the position of a station; null if it is missing or invalid. */
export function positionOf({ latitudeDeg, longitudeDeg }: Placed): Position | null {
  if (latitudeDeg === null || longitudeDeg === null) return null;
  return Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180 ? { latitudeDeg, longitudeDeg } : null;
}

/** Returns the stations without a position and the reasons, in the order of the catalogue. */
export function unplacedOf<S extends Placed>(stations: readonly S[]): ReadonlyMap<S, UnplacedBecause> {
  const hasPositions = stations.some((s) => s.latitudeDeg !== null || s.longitudeDeg !== null);
  const withoutPosition = hasPositions ? "none" : "notEntitled";
  return new Map(
    stations
      .filter((s) => positionOf(s) === null)
      .map((s) => [s, s.latitudeDeg === null && s.longitudeDeg === null ? withoutPosition : "invalid"]),
  );
}

/** Explains why stations have no position: each reason with its number of stations. */
export function unplacedNote(reasons: Iterable<UnplacedBecause>): string {
  const counts: Record<UnplacedBecause, number> = { notEntitled: 0, none: 0, invalid: 0 };
  for (const reason of reasons) counts[reason]++;
  const parts = [
    counts.notEntitled > 0
      ? "The service gives this key no positions: its organization has no access to locations. Ask the owner of the service."
      : "",
    counts.none > 0
      ? `The catalogue has no coordinates for ${many(counts.none, "station")}, but it does for others.`
      : "",
    counts.invalid > 0
      ? `The catalogue has no valid latitude and longitude for ${many(counts.invalid, "station")}.`
      : "",
  ];
  return parts.filter(Boolean).join(" ") || "Every station has a position.";
}
