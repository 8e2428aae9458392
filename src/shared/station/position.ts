/** What a height is above: the WGS 84 ellipsoid (or one close to it), the geoid, which is mean sea level, or unknown. */
export type Surface = "ellipsoid" | "geoid" | "unknown";

/** A height in metres with its reference. Heights of one point above ellipsoid and geoid differ by up to 106 m. */
export interface Height<Above extends Surface = Surface> {
  readonly metres: number;
  readonly above: Above;
}

/** A place of measurement, as far as its source describes it. */
export interface Position {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  /** At most one above each surface. */
  readonly heights: readonly Height[];
}

/** A height above a surface; null if unknown. */
export function heightAbove<Above extends Surface>(
  position: Pick<Position, "heights"> | null,
  above: Above,
): Height<Above> | null {
  const found = position?.heights.find((height) => height.above === above);
  return found ? { metres: found.metres, above } : null;
}

/** The known ones of a point's heights, in metres. */
export function heightsOf(metres: Readonly<Partial<Record<Surface, number | null>>>): Height[] {
  return SURFACES.flatMap((above) => {
    const own = metres[above] ?? null;
    return own === null ? [] : [{ metres: own, above }];
  });
}

const SURFACES = ["ellipsoid", "geoid", "unknown"] as const satisfies readonly Surface[];

/** Finds the surface in words such as `WGS84_ELLIPSOID`, `EGM2008`, “mean sea level” or “orthometric”. */
export function surfaceNamed(words: string): Surface {
  if (/ellipsoid|wgs.?84|(?:^|_)el[li](?:$|_)/i.test(words)) return "ellipsoid";
  return /geoid|sea.?level|(?:^|[^a-z])a?msl(?:$|[^a-z])|orthometric|geopotential|egm/i.test(words)
    ? "geoid"
    : "unknown";
}

/** The height of a place for lists, such as `112.4 m above the geoid`; null without one. */
export function heightText({ heights: [height] }: Position): string | null {
  if (!height) return null;
  const { metres, above } = height;
  return `${metres.toFixed(1)} m ${above === "unknown" ? "(reference unknown)" : `above the ${above}`}`;
}

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
