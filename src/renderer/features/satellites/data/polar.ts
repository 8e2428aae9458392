// The sky as a unit disc with north at the top: zenith at the centre, horizon at radius 1, x to the east and y to the
// south, as on a canvas. The radius is linear in elevation.

const RADIANS = Math.PI / 180;

export function discX(azimuthDeg: number, elevationDeg: number): number {
  return ((90 - elevationDeg) / 90) * Math.sin(azimuthDeg * RADIANS);
}

export function discY(azimuthDeg: number, elevationDeg: number): number {
  return ((elevationDeg - 90) / 90) * Math.cos(azimuthDeg * RADIANS);
}

/** Returns the azimuth in degrees, 0 to 360, clockwise from north; 0 at the zenith. */
export function azimuthAt(x: number, y: number): number {
  const degrees = Math.atan2(x, -y) / RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Returns the elevation in degrees: 90 at the centre, 0 at the rim, negative outside. */
export function elevationAt(x: number, y: number): number {
  return 90 - 90 * Math.hypot(x, y);
}
