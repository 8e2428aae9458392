import { RADIANS } from "./geometry.ts";

/**
 * Zenith hydrostatic delay in mm (Saastamoinen 1972 with the gravity of Davis and others 1985).
 *
 * @param heightM height of the station above the geoid
 */
export function hydrostaticDelayMm(pressureHpa: number, latitudeDeg: number, heightM: number): number {
  const gravity = 1 - 0.00266 * Math.cos(2 * latitudeDeg * RADIANS) - 2.8e-7 * heightM;
  return (2.2768 * pressureHpa) / gravity;
}

/** Weighted mean temperature of the vapour above a station in K, from the surface temperature in K (Bevis and others 1992). */
export function meanTemperatureK(surfaceK: number): number {
  return 70.2 + 0.72 * surfaceK;
}

const WATER_DENSITY = 1000; // kg m-3
const VAPOUR_GAS = 461.5; // J kg-1 K-1
const K2_PRIME = 22.1; // K hPa-1
const K3 = 3.739e5; // K2 hPa-1

/** Precipitable water per wet delay, without unit, about 0.15 (constants of Bevis and others 1994). */
export function waterPerDelay(meanK: number): number {
  return 1e8 / (WATER_DENSITY * VAPOUR_GAS * (K3 / meanK + K2_PRIME));
}

/** Pressure at a height as a fraction of that at sea level, in the standard atmosphere. */
export function pressureShare(heightM: number): number {
  return (1 - 2.25577e-5 * heightM) ** 5.25588;
}
