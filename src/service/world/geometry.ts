export const RADIANS = Math.PI / 180;

/** WGS 84. */
const SEMI_MAJOR_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const KM_PER_DEGREE = 111.2;

type Vector = readonly [x: number, y: number, z: number];

export interface Position {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

/** The horizon of a station: its position and the directions east, north and up in the Earth-fixed frame. Metres. */
export interface Horizon {
  readonly origin: Vector;
  readonly east: Vector;
  readonly north: Vector;
  readonly up: Vector;
}

export function horizonOf(position: Position, ellipsoidalHeight: number): Horizon {
  const latitude = position.latitudeDeg * RADIANS;
  const longitude = position.longitudeDeg * RADIANS;
  const [sinLat, cosLat] = [Math.sin(latitude), Math.cos(latitude)];
  const [sinLon, cosLon] = [Math.sin(longitude), Math.cos(longitude)];
  const e2 = FLATTENING * (2 - FLATTENING);
  const n = SEMI_MAJOR_M / Math.sqrt(1 - e2 * sinLat * sinLat);
  const h = ellipsoidalHeight;
  return {
    origin: [(n + h) * cosLat * cosLon, (n + h) * cosLat * sinLon, (n * (1 - e2) + h) * sinLat],
    east: [-sinLon, cosLon, 0],
    north: [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    up: [cosLat * cosLon, cosLat * sinLon, sinLat],
  };
}

/** East and north of `centre` in km, on a plane: accurate to a few km within a weather region of a thousand km. */
export function offsetKm(position: Position, centre: Position): { readonly eastKm: number; readonly northKm: number } {
  const turned = ((position.longitudeDeg - centre.longitudeDeg + 540) % 360) - 180;
  return {
    eastKm: turned * KM_PER_DEGREE * Math.cos(centre.latitudeDeg * RADIANS),
    northKm: (position.latitudeDeg - centre.latitudeDeg) * KM_PER_DEGREE,
  };
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
