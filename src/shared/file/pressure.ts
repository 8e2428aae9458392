import type { FileQuantity } from "./opened.ts";

/** Factors to hPa. */
const PRESSURE_UNITS: ReadonlyMap<string, number> = new Map([
  ["hpa", 1],
  ["hectopascal", 1],
  ["mbar", 1],
  ["mb", 1],
  ["millibar", 1],
  ["kpa", 10],
  ["pa", 0.01],
  ["pascal", 0.01],
]);
/** Pressure reduced to sea level is not the pressure at the site. */
const AT_SEA_LEVEL = /sea_?level|(?:^|_)(?:msl|mslp|slp|qff|qnh)(?:_|$)/i;

/** Returns the factor that converts a quantity to pressure at its site in hPa; null if it is no such pressure. */
export function hPaFactor({ name, standardName, unit }: FileQuantity): number | null {
  if (AT_SEA_LEVEL.test(standardName ?? name)) return null;
  return PRESSURE_UNITS.get(unit?.trim().toLowerCase() ?? "") ?? null;
}
