/** A circle on the Earth: degrees and kilometres. */
interface Circle {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly radiusKm: number;
}

/** Minimum distance of two parallels one degree apart. */
export const KM_PER_DEGREE = 110.5;

const EARTH_KM = 6_371.0;
const RADIANS = Math.PI / 180;

/** Parses latitude, longitude and kilometres: "60.2,24.9,50"; null if invalid. */
export function parseCircle(text: string): Circle | null {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [latitudeDeg, longitudeDeg, radiusKm] = parts;
  if (parts.length !== 3 || latitudeDeg === undefined || longitudeDeg === undefined || radiusKm === undefined)
    return null;
  const isOnEarth = Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180;
  return isOnEarth && radiusKm > 0 && Number.isFinite(radiusKm) ? { latitudeDeg, longitudeDeg, radiusKm } : null;
}

/** Whether a position is in the circle; false if unknown. */
export function isNear(
  { latitudeDeg, longitudeDeg }: { readonly latitudeDeg: number | null; readonly longitudeDeg: number | null },
  circle: Circle,
): boolean {
  if (latitudeDeg === null || longitudeDeg === null) return false;
  return distanceKm({ latitudeDeg, longitudeDeg }, circle) <= circle.radiusKm;
}

interface Place {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

/** Returns the great-circle distance on a spherical Earth in kilometres. */
export function distanceKm(a: Place, b: Place): number {
  const half = (degrees: number): number => Math.sin((degrees * RADIANS) / 2) ** 2;
  const cosines = Math.cos(a.latitudeDeg * RADIANS) * Math.cos(b.latitudeDeg * RADIANS);
  const chord = half(a.latitudeDeg - b.latitudeDeg) + cosines * half(a.longitudeDeg - b.longitudeDeg);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}
