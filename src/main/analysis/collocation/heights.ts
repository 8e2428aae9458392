import { distanceKm, type Height, heightAbove, KM_PER_DEGREE, type Position } from "#shared/station/position.ts";

/** Height of the geoid above the ellipsoid at a place, metres; null if unknown. */
export type Undulation = (place: Position) => number | null;

/** Over this distance, the undulation of the geoid changes by a metre or two in mountains, and much less elsewhere. */
const WITHIN_KM = 20;

/** The undulation at the nearest position, within 20 km, whose heights above both surfaces are known. */
export function undulationOf(positions: Iterable<Position | null>): Undulation {
  const known = [...positions].flatMap((position) => {
    const [ellipsoidal, orthometric] = [heightAbove(position, "ellipsoid"), heightAbove(position, "geoid")];
    return position && ellipsoidal && orthometric
      ? [{ position, metres: ellipsoidal.metres - orthometric.metres }]
      : [];
  });
  return (place) => {
    let best: { readonly km: number; readonly metres: number } | null = null;
    for (const { position, metres } of known) {
      // Most are excluded by their latitude alone.
      if (KM_PER_DEGREE * Math.abs(position.latitudeDeg - place.latitudeDeg) > WITHIN_KM) continue;
      const km = distanceKm(position, place);
      if (km <= WITHIN_KM && (best === null || km < best.km)) best = { km, metres };
    }
    return best?.metres ?? null;
  };
}

/** A height above the geoid, and how it is known. */
export interface GeoidHeight {
  readonly height: Height<"geoid">;
  /** Assumed: the source gives a height without its reference. */
  readonly by: "stated" | "converted" | "assumed";
}

/**
 * The height of a place above the geoid: as stated, or converted from the ellipsoid by the undulation. A height without a
 * reference is taken as above the geoid, which callers must say.
 *
 * @returns null without a height, and for one above the ellipsoid where the undulation is unknown
 */
export function geoidHeight(position: Position | null, undulation: Undulation): GeoidHeight | null {
  const stated = heightAbove(position, "geoid");
  if (stated) return { height: stated, by: "stated" };
  const ellipsoidal = heightAbove(position, "ellipsoid");
  if (position && ellipsoidal) {
    const metres = undulation(position);
    return metres === null
      ? null
      : { height: { metres: ellipsoidal.metres - metres, above: "geoid" }, by: "converted" };
  }
  const unknown = heightAbove(position, "unknown");
  return unknown && { height: { metres: unknown.metres, above: "geoid" }, by: "assumed" };
}

/**
 * Height of A minus height of B, metres, above a surface that both are known above; converted if necessary and possible.
 * Without a common reference because one is not stated, the difference of the numbers, `isSameReference` false.
 *
 * @returns a null difference if a height is unknown, or the two are above different surfaces
 */
export function heightDifferenceOf(
  a: Position | null,
  b: Position | null,
  undulation: Undulation,
): { readonly difference: number | null; readonly isSameReference: boolean } {
  for (const above of ["ellipsoid", "geoid"] as const) {
    const [ofA, ofB] = [heightAbove(a, above), heightAbove(b, above)];
    if (ofA && ofB) return { difference: ofA.metres - ofB.metres, isSameReference: true };
  }
  const [ofA, ofB] = [geoidHeight(a, undulation), geoidHeight(b, undulation)];
  if (ofA && ofB) {
    const isKnown = ofA.by !== "assumed" && ofB.by !== "assumed";
    return { difference: ofA.height.metres - ofB.height.metres, isSameReference: isKnown };
  }
  const [one, other] = [a?.heights[0], b?.heights[0]];
  const isComparable = one && other && (one.above === "unknown" || other.above === "unknown");
  return { difference: isComparable ? one.metres - other.metres : null, isSameReference: false };
}
