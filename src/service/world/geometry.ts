import { WGS84 } from "#shared/service/catalogue.ts";

export const RADIANS = Math.PI / 180;

const KM_PER_DEGREE = 111.2;

type Vector = readonly [x: number, y: number, z: number];

export interface Position {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

/** The horizon of a station: its position and the directions east, north and up in the Earth-fixed frame. Metres. */
export interface Horizon {
  readonly position: Vector;
  readonly east: Vector;
  readonly north: Vector;
  readonly up: Vector;
}

export function horizonOf(position: Position, ellipsoidalHeight: number): Horizon {
  const latitude = position.latitudeDeg * RADIANS;
  const longitude = position.longitudeDeg * RADIANS;
  const [sinLat, cosLat] = [Math.sin(latitude), Math.cos(latitude)];
  const [sinLon, cosLon] = [Math.sin(longitude), Math.cos(longitude)];
  const e2 = WGS84.eccentricitySquared;
  const n = WGS84.semiMajorAxisM / Math.sqrt(1 - e2 * sinLat * sinLat);
  const h = ellipsoidalHeight;
  return {
    position: [(n + h) * cosLat * cosLon, (n + h) * cosLat * sinLon, (n * (1 - e2) + h) * sinLat],
    east: [-sinLon, cosLon, 0],
    north: [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    up: [cosLat * cosLon, cosLat * sinLon, sinLat],
  };
}

/** The same direction from -180 to 180 degrees. */
export function wrapLongitude(longitudeDeg: number): number {
  return ((longitudeDeg + 540) % 360) - 180;
}

/** East and north of `centre` in km, on a plane: accurate to a few km within a weather region of a thousand km. */
export function offsetKm(position: Position, centre: Position): { readonly eastKm: number; readonly northKm: number } {
  return {
    eastKm:
      wrapLongitude(position.longitudeDeg - centre.longitudeDeg) *
      KM_PER_DEGREE *
      Math.cos(centre.latitudeDeg * RADIANS),
    northKm: (position.latitudeDeg - centre.latitudeDeg) * KM_PER_DEGREE,
  };
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

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
