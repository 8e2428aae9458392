import type { SiteMatch } from "#shared/comparison.ts";
import { hydrostaticDelayMm } from "../derived/delays.ts";
import { standardPressureHpa } from "../derived/derive.ts";
import { anyHeight } from "./sites.ts";

/** Height over which the water vapour falls to 1/e, metres; a usual value for middle latitudes. */
export const WET_SCALE_HEIGHT_M = 2_000;

/**
 * The values of B at the height of A. Hydrostatic part of ZTD: Saastamoinen's delay with the pressure of the standard
 * atmosphere at both heights. Wet part of ZTD, and PWV: multiplied by exp(−Δh / 2,000 m). A model, not a measurement:
 * results are labelled as derived.
 *
 * @param values ZTD or PWV of B, mm
 * @returns null if a height is unknown
 */
export function atHeightOfA(
  values: Float64Array,
  { a, b, heightDifference }: SiteMatch,
  variable: "ztd" | "pwv",
): Float64Array | null {
  const heightA = anyHeight(a.position);
  if (heightA === null || heightDifference === null) return null;
  // By the difference: the two heights may be above different surfaces.
  const heightB = heightA - heightDifference;
  const wetFactor = Math.exp(-heightDifference / WET_SCALE_HEIGHT_M);
  if (variable === "pwv") return values.map((value) => value * wetFactor);
  const latitudeDeg = b.position?.latitudeDeg ?? 45;
  const dryA = dryDelayMm(heightA, latitudeDeg);
  const dryB = dryDelayMm(heightB, latitudeDeg);
  return values.map((value) => dryA + (value - dryB) * wetFactor);
}

function dryDelayMm(height: number, latitudeDeg: number): number {
  return hydrostaticDelayMm({ value: standardPressureHpa(height), sigma: 0 }, latitudeDeg, height).value;
}
