import type { Position } from "#shared/station/position.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import type { ColumnFacts } from "../meaning/columns.ts";
import { DOMES, heightIn, positionOf } from "../sites.ts";
import { momentOf } from "../time/moment.ts";

/** The nine header lines before the rows of a station. */
export interface CostHead {
  readonly code: string;
  readonly domes: string | null;
  readonly project: string;
  readonly centre: string;
  readonly source: string;
  readonly position: Position | null;
  readonly firstMs: number;
  /** Distance of the rows; null if not stated. */
  readonly samplingMs: number | null;
  /** Number of rows; NaN if not stated. */
  readonly rows: number;
}

export const HEAD_LINES = 9;
/**
 * Parses a header. Lines: format, project and status; station, DOMES number and name; receiver and antenna; latitude, longitude (degrees),
 * heights of the antenna above ellipsoid, geoid and marker (m); times of the first row and of processing; centre, method,
 * orbits and meteorological data; intervals (min); flags; number of rows.
 *
 * @returns null without a station or a time of the first row
 */
export function costHead(lines: readonly string[]): CostHead | null {
  const [format = "", site = "", , place = "", times = "", makers = "", intervals = "", , rows] = lines;
  const [code = "", domes = ""] = site.trim().split(/\s+/);
  // A second time is that of processing.
  const firstMs = momentOf(times.trim().split(/\s+/).slice(0, 2).join(" "));
  if (code === "" || Number.isNaN(firstMs)) return null;
  const [project = "", status = ""] = fields(format).slice(1);
  const [latitudeDeg = Number.NaN, longitudeDeg = Number.NaN, ellipsoid, geoid] = place.trim().split(/\s+/).map(Number);
  const [centre = "", method = "", orbits = ""] = fields(makers);
  return {
    code,
    domes: DOMES.test(domes) ? domes : null,
    project: [project, status].filter(Boolean).join(", "),
    centre,
    source: [centre, method, orbits].filter(Boolean).join(", "),
    position: positionOf({
      latitudeDeg,
      longitudeDeg,
      heights: { ellipsoid: heightIn(ellipsoid), geoid: heightIn(geoid) },
    }),
    firstMs,
    samplingMs: MINUTE_MS * (Number.parseInt(intervals, 10) || 0) || null,
    rows: Number.parseInt(rows ?? "", 10),
  };
}

/** Splits a line into columns of twenty-five characters, five of them blank. */
function fields(line: string): string[] {
  return Array.from({ length: Math.ceil(line.length / 25) }, (_, i) => line.slice(25 * i, 25 * (i + 1)).trim());
}

interface CostRow {
  readonly timeOfDayMs: number;
  /** In the order of COLUMNS; empty: missing. */
  readonly values: readonly string[];
  readonly isPoor: boolean;
}

const column = (name: string, unit: string | null, longName: string): ColumnFacts => ({
  heading: name,
  raw: { name, unit, longName, standardName: null },
  unitBy: "the format",
  isOfFormat: true,
});

/** Quantities of a row, after its time and flags. */
export const COLUMNS = [
  column("ZTD", "mm", "Zenith total delay"),
  column("ZTD_sigma", "mm", "Zenith total delay, standard deviation"),
  column("ZWD", "mm", "Zenith wet delay"),
  column("IWV", "kg m-2", "Integrated water vapour"),
  column("pressure", "hPa", "Pressure used for ZWD"),
  column("temperature", "K", "Temperature used for IWV"),
  column("humidity", "%", "Relative humidity used for IWV"),
  column("gradient_north", "mm", "Delay gradient, north"),
  column("gradient_east", "mm", "Delay gradient, east"),
  column("gradient_north_sigma", "mm", "Delay gradient, north, standard deviation"),
  column("gradient_east_sigma", "mm", "Delay gradient, east, standard deviation"),
  column("TEC", null, "Vertically integrated electron content (TECU; its decadic logarithm before V2.2)"),
];
/** Columns of gradients, in which 999.99 also means "no value". */
const GRADIENTS = new Set([7, 8, 9, 10]);
/** Widths of the columns; large values may touch each other. */
const WIDTHS = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8];
const VALUES_AT = 18;

const ROW = /^\s*(\d{1,2})\s+(\d{1,2})\s+(\d{1,2})\s+([0-9a-f]{8})\s/i;
/** Satellite, slant delay, deviation, azimuth and elevation. */
const SLANT = /^\s*[A-Z]\d{1,3}\s+-?\d/;
const SLANT_COUNT = /^\s*\d+\s*$/;
const RULE = /^\s*(-{10,}\s*)?$/;
const NO_VALUE = /^-9+\.9*$|^\*+$/;
const NO_GRADIENT = /^-?9{2,}\.9+$/;
const POOR = 1 << 6;
const FLAGS_INVALID = 2 ** 31;

/** `other`: a line that is not a row. */
export function costRow(line: string): CostRow | "slant" | "unread" | "other" {
  const [whole = "", hours, minutes, seconds, flagText = ""] = ROW.exec(line) ?? [];
  if (whole === "") {
    if (SLANT.test(line)) return "slant";
    return RULE.test(line) || SLANT_COUNT.test(line) ? "other" : "unread";
  }
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const texts = line.slice(whole.length).trim().split(/\s+/);
  const fields = texts.length === COLUMNS.length ? texts : inColumns(line);
  if (hour > 24 || minute > 59 || second > 60 || fields.every((field) => field === "")) return "unread";
  const flags = Number.parseInt(flagText, 16);
  return {
    timeOfDayMs: hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS,
    values: fields.map((field, i) => (isMissing(field, i) ? "" : field)),
    isPoor: flags < FLAGS_INVALID && (flags & POOR) !== 0,
  };
}

function inColumns(line: string): string[] {
  let at = VALUES_AT;
  return WIDTHS.map((width) => line.slice(at, (at += width)).trim());
}

function isMissing(field: string, column: number): boolean {
  return field === "" || NO_VALUE.test(field) || (GRADIENTS.has(column) && NO_GRADIENT.test(field));
}
