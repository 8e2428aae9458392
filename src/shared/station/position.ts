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
