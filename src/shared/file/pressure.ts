import type { FileQuantity } from "./opened.ts";

/** What values of these units are multiplied with to be hPa. */
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
/** Reduced to sea level, it is not the pressure of the site. */
const AT_SEA_LEVEL = /sea_?level|(?:^|_)(?:msl|mslp|slp|qff|qnh)(?:_|$)/i;

/** What the values of a quantity are multiplied with to be the pressure at their site in hPa; null if they are not that. */
export function hPaFactor({ name, standardName, unit }: FileQuantity): number | null {
  if (AT_SEA_LEVEL.test(standardName ?? name)) return null;
  return PRESSURE_UNITS.get(unit?.trim().toLowerCase() ?? "") ?? null;
}
