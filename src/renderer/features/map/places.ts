import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { many } from "../../ui/text.ts";
import type { Position } from "../../map/camera.ts";

/**
 * Why a station has no place on the map:
 * - notEntitled: the key sees no position of any station, as the service answers to those without entitlement
 * - none: others have one; the catalogue holds none of this station
 * - invalid: what the catalogue holds is no latitude and longitude
 */
export type UnplacedBecause = "notEntitled" | "none" | "invalid";

type Placed = Pick<CatalogueStation, "latitudeDeg" | "longitudeDeg">;

/** Where a station is; null where the catalogue does not tell it, or tells what is no place. */
export function positionOf({ latitudeDeg, longitudeDeg }: Placed): Position | null {
  if (latitudeDeg === null || longitudeDeg === null) return null;
  return Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180 ? { latitudeDeg, longitudeDeg } : null;
}

/** The stations without a place, each with its reason, in the order of the catalogue. */
export function unplacedOf<S extends Placed>(stations: readonly S[]): ReadonlyMap<S, UnplacedBecause> {
  const isTold = stations.some((s) => s.latitudeDeg !== null || s.longitudeDeg !== null);
  const silent = isTold ? "none" : "notEntitled";
  return new Map(
    stations
      .filter((s) => positionOf(s) === null)
      .map((s) => [s, s.latitudeDeg === null && s.longitudeDeg === null ? silent : "invalid"]),
  );
}

export const UNPLACED_WORDS: Readonly<Record<UnplacedBecause, string>> = {
  notEntitled: "no entitlement",
  none: "no coordinates",
  invalid: "invalid position",
};

/** What the list of stations without a place says above it: each reason with its number, and what follows from it. */
export function unplacedNote(reasons: Iterable<UnplacedBecause>): string {
  const counts: Record<UnplacedBecause, number> = { notEntitled: 0, none: 0, invalid: 0 };
  for (const reason of reasons) counts[reason]++;
  const parts = [
    counts.notEntitled > 0
      ? "The service gives this key no positions: its organization is not entitled to locations. Ask the service for access."
      : "",
    counts.none > 0
      ? `The catalogue has no coordinates for ${many(counts.none, "station")}, although it has those of others.`
      : "",
    counts.invalid > 0
      ? `The catalogue has no valid latitude and longitude for ${many(counts.invalid, "station")}.`
      : "",
  ];
  return parts.filter(Boolean).join(" ") || "Every station has a position.";
}
