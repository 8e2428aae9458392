import type { FilePosition } from "#shared/file/opened.ts";

/** The nine header lines before the rows of a station. */
export interface CostHead {
  readonly code: string;
  readonly domes: string | null;
  readonly project: string;
  readonly centre: string;
  /** Centre, method and orbits. */
  readonly source: string;
  readonly position: FilePosition | null;
  /** UTC of the first row. */
  readonly firstMs: number;
  /** Number of rows; NaN if not stated. */
  readonly rows: number;
}

export const HEAD_LINES = 9;
const DOMES = /^\d{5}[MS]\d{3}$/;
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const MOMENT = /^\s*(\d{1,2})-([A-Z]{3})-(\d{4})\s+(\d{1,2}):(\d{2}):(\d{2})/i;

/**
 * Parses a header. Lines: format, project and status; station, DOMES number and name; receiver and antenna; latitude, longitude (degrees),
 * heights of the antenna above ellipsoid, geoid and marker (m); times of the first row and of processing; centre, method,
 * orbits and meteorological data; intervals (min); flags; number of rows.
 *
 * @returns null without a station or a time of the first row
 */
export function costHead(lines: readonly string[]): CostHead | null {
  const [format = "", site = "", , place = "", times = "", makers = "", , , rows] = lines;
  const [code = "", domes = ""] = site.trim().split(/\s+/);
  const firstMs = momentOf(times);
  if (code === "" || Number.isNaN(firstMs)) return null;
  const [project = "", status = ""] = fields(format).slice(1);
  const [centre = "", method = "", orbits = ""] = fields(makers);
  return {
    code,
    domes: DOMES.test(domes) ? domes : null,
    project: [project, status].filter(Boolean).join(", "),
    centre,
    source: [centre, method, orbits].filter(Boolean).join(", "),
    position: positionOf(place.trim().split(/\s+/).map(Number)),
    firstMs,
    rows: Number.parseInt(rows ?? "", 10),
  };
}

/** Splits a line into columns of twenty-five characters, five of them blank. */
function fields(line: string): string[] {
  return Array.from({ length: Math.ceil(line.length / 25) }, (_, i) => line.slice(25 * i, 25 * (i + 1)).trim());
}

function momentOf(line: string): number {
  const [, day = "", month = "", year = "", ...clock] = MOMENT.exec(line) ?? [];
  const at = MONTHS.indexOf(month.toUpperCase());
  const [hour = Number.NaN, minute = 0, second = 0] = clock.map(Number);
  const ms = Date.UTC(Number(year), at, Number(day), hour, minute, second);
  return at >= 0 && new Date(ms).getUTCDate() === Number(day) ? ms : Number.NaN;
}

function positionOf([
  latitudeDeg = Number.NaN,
  longitude = Number.NaN,
  ...heights
]: readonly number[]): FilePosition | null {
  if (!(Math.abs(latitudeDeg) <= 90 && longitude >= -180 && longitude <= 360)) return null;
  const [ellipsoidal = null, orthometric = null] = heights.map((m) => (m > -900 && m < 10_000 ? m : null));
  const place = { latitudeDeg, longitudeDeg: longitude > 180 ? longitude - 360 : longitude };
  if (ellipsoidal !== null) return { ...place, height: ellipsoidal, heightReference: "WGS84 ellipsoid" };
  return { ...place, height: orthometric, heightReference: orthometric === null ? null : "mean sea level" };
}
