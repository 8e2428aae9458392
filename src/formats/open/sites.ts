import { unitNamed } from "#shared/file/units.ts";
import { heightsOf, type Position, type Surface } from "#shared/station/position.ts";

/** Degrees; about 1 km. More than rounding and the motion of a reference station. */
const SAME_SITE_DEG = 0.01;

/** DOMES number: area, site, M (marker) or S (instrument), and its number. */
export const DOMES = /^\d{5}[MS]\d{3}$/;

/** A height in metres; null for placeholders such as -999. */
export function heightIn(metres: number | undefined): number | null {
  return metres !== undefined && metres > -900 && metres < 10_000 ? metres : null;
}

/** Metres in a stated unit of heights: 0.3048 for feet, NaN for units of other quantities; 1 for texts that are not units. */
export function metresIn(unit: string): number {
  const known = unitNamed(unit);
  return known ? (known.mm ?? Number.NaN) / 1_000 : 1;
}

/** Converts decimal degrees, or degrees, minutes and seconds with the sign of the degrees; NaN for other texts. */
export function degreesOf([whole = "", minutes = "0", seconds = "0", ...more]: readonly string[]): number {
  const isDecimal = whole.includes(".") && (minutes !== "0" || seconds !== "0");
  if (whole === "" || more.length > 0 || isDecimal) return Number.NaN;
  const size = Math.abs(Number(whole)) + Number(minutes) / 60 + Number(seconds) / 3_600;
  return whole.startsWith("-") ? -size : size;
}

/** Columns of the position that the head of a format states. */
export const PLACE = ["latitude_deg", "longitude_deg", "ellipsoidal_height_m", "orthometric_height_m"];

export function placeTexts(position: Position | null): string[] {
  const heightAbove = (surface: Surface) => position?.heights.find(({ above }) => above === surface)?.metres;
  return [position?.latitudeDeg, position?.longitudeDeg, heightAbove("ellipsoid"), heightAbove("geoid")].map((number) =>
    String(number ?? ""),
  );
}

export interface PlaceFields {
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
  /** Metres above each surface that a column tells. */
  readonly heights: Readonly<Partial<Record<Surface, number | null>>>;
}

export function positionOf(fields: PlaceFields): Position | null {
  const { latitudeDeg, longitudeDeg, heights } = fields;
  if (latitudeDeg === null || longitudeDeg === null) return null;
  if (!(Math.abs(latitudeDeg) <= 90 && longitudeDeg >= -180 && longitudeDeg <= 360)) return null;
  return {
    latitudeDeg,
    longitudeDeg: longitudeDeg > 180 ? longitudeDeg - 360 : longitudeDeg,
    heights: heightsOf(heights),
  };
}

/** Whether a row is at another place than its station, and perhaps of another station. */
export function isElsewhere(position: Position | null, { latitudeDeg, longitudeDeg }: PlaceFields): boolean {
  if (position === null || latitudeDeg === null || longitudeDeg === null) return false;
  const eastDeg = Math.abs(longitudeDeg - position.longitudeDeg) % 360;
  return (
    Math.abs(latitudeDeg - position.latitudeDeg) > SAME_SITE_DEG || Math.min(eastDeg, 360 - eastDeg) > SAME_SITE_DEG
  );
}
