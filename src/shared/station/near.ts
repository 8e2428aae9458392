/** A circle on the Earth: degrees and kilometres. */
export interface Circle {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly radiusKm: number;
}

const EARTH_KM = 6_371.0;
const RADIANS = Math.PI / 180;

/** "60.2,24.9,50": latitude, longitude and kilometres; null where it is none. */
export function parseCircle(text: string): Circle | null {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [latitudeDeg, longitudeDeg, radiusKm] = parts;
  if (parts.length !== 3 || latitudeDeg === undefined || longitudeDeg === undefined || radiusKm === undefined)
    return null;
  const isOnEarth = Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180;
  return isOnEarth && radiusKm > 0 && Number.isFinite(radiusKm) ? { latitudeDeg, longitudeDeg, radiusKm } : null;
}

/** Whether a place is in the circle; false where it is not told. */
export function isNear(
  place: { readonly latitudeDeg: number | null; readonly longitudeDeg: number | null },
  circle: Circle,
): boolean {
  if (place.latitudeDeg === null || place.longitudeDeg === null) return false;
  const half = (degrees: number): number => Math.sin((degrees * RADIANS) / 2) ** 2;
  const cosines = Math.cos(place.latitudeDeg * RADIANS) * Math.cos(circle.latitudeDeg * RADIANS);
  const chord = half(place.latitudeDeg - circle.latitudeDeg) + cosines * half(place.longitudeDeg - circle.longitudeDeg);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord))) <= circle.radiusKm;
}
