import { createHash } from "node:crypto";
import { VARIABLES, type Variable } from "#shared/service/variables.ts";
import { formatUtcShort, DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { type FileStation, intervalLengths, type SeriesFileSource } from "../source.ts";
import type { Attributes } from "./sink.ts";

/** The table that `test/formats/standardNames.ts` has the names of, published on 17 October 2023. */
const STANDARD_NAME_TABLE = "CF Standard Name Table v83";

/** Result of the first pass over the rows, for the attributes. */
interface TimeCoverage {
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly stepMs: number | null;
}

/**
 * Version of the layout that scripts rely on (docs/files.md): the first number changes if a variable or attribute is moved,
 * renamed or redefined, the second one if something is added. Version 1 had grids of (station, time).
 */
const LAYOUT_VERSION = "1.0";

/**
 * Returns global attributes by CF-1.8 and ACDD-1.3, and the provenance. Attributes with unknown values (bounds of stations
 * without a position, resolution of a single row) are left out.
 */
export function globalAttributes(source: SeriesFileSource, time: TimeCoverage): Attributes {
  const from = source.provenance;
  const created = formatUtcShort(from.createdAtMs);
  const startMs = time.firstMs ?? source.range.startMs;
  const endMs = coverageEndMs(source, time);
  const stepMs = source.intervalSeconds === null ? time.stepMs : source.intervalSeconds * 1000;
  return {
    Conventions: "CF-1.8, ACDD-1.3",
    featureType: "timeSeries",
    title: from.title,
    summary: from.summary,
    keywords: keywords(source.variables),
    id: fileId(source),
    institution: from.institution,
    source: from.isSimulated
      ? `simulation of GNSS precise point positioning (PPP), no observations; ${from.service}`
      : `GNSS precise point positioning (PPP); measurement service at ${from.service}`,
    history: `${created}: written by ${from.program} from ${from.isSimulated ? "simulated " : ""}measurements of ${from.service}`,
    references: from.service,
    license: "As agreed with the provider of the measurement service; nothing is granted by this file itself.",
    creator_name: from.institution,
    date_created: created,
    time_coverage_start: formatUtcShort(startMs),
    time_coverage_end: formatUtcShort(endMs),
    time_coverage_duration: isoDuration(endMs - startMs),
    time_coverage_resolution: stepMs === null ? undefined : isoDuration(stepMs),
    ...geospatialBounds(source.stations),
    standard_name_vocabulary: STANDARD_NAME_TABLE,
    processing_level: processingLevel(source),
    service: from.service,
    query: from.query,
    time_zone: source.zone,
    quality_filter: source.raw ? "off: observations that fail the service's quality checks are included" : "on",
    coverage: from.coverage,
    program: from.program,
    layout_version: LAYOUT_VERSION,
  };
}

/** For intervals, the coverage ends at the end of the last interval. */
function coverageEndMs(source: SeriesFileSource, time: TimeCoverage): number {
  if (time.lastMs === null) return source.range.endMs;
  const [seconds = 0] = intervalLengths(source, Float64Array.of(time.lastMs)) ?? [];
  return time.lastMs + seconds * 1000;
}

function keywords(variables: readonly Variable[]): string {
  const words = VARIABLES.filter((v) => variables.includes(v.name)).map((v) => v.label.toLowerCase());
  return ["GNSS", "GNSS meteorology", "troposphere", ...words].join(", ");
}

/** Returns an id that depends on service, query, stations, variables and time of creation. */
function fileId(source: SeriesFileSource): string {
  const { service, query, createdAtMs } = source.provenance;
  const identity = JSON.stringify([service, query, createdAtMs, source.stations.map((s) => s.id), source.variables]);
  return `zenith-${createHash("sha256").update(identity).digest("hex").slice(0, 32)}`;
}

function processingLevel(source: SeriesFileSource): string {
  const { intervalSeconds, zone } = source;
  const rows =
    intervalSeconds === null
      ? "every observation"
      : zone === undefined
        ? `intervals of ${intervalSeconds} s, aligned to UTC`
        : `days of the time zone ${zone}, of 23 to 25 hours`;
  return `${rows}; ${source.raw ? "unfiltered" : "quality-filtered"} by the service`;
}

function geospatialBounds(stations: readonly FileStation[]): Attributes {
  const latitudes = known(stations.map((s) => s.latitudeDeg));
  const longitudes = known(stations.map((s) => s.longitudeDeg));
  const references = new Set(stations.map((s) => s.heightReference));
  // Heights with different references have no common minimum.
  const heights = references.size === 1 ? known(stations.map((s) => s.height)) : [];
  const [south, north, west, east] = [lowest(latitudes), highest(latitudes), lowest(longitudes), highest(longitudes)];
  const horizontal =
    south === undefined || west === undefined
      ? {}
      : {
          geospatial_bounds: outline(south, north ?? south, west, east ?? west),
          geospatial_bounds_crs: "EPSG:4326",
          geospatial_lat_min: south,
          geospatial_lat_max: north,
          geospatial_lat_units: "degrees_north",
          geospatial_lon_min: west,
          geospatial_lon_max: east,
          geospatial_lon_units: "degrees_east",
        };
  const vertical =
    heights.length === 0
      ? {}
      : {
          geospatial_vertical_min: lowest(heights),
          geospatial_vertical_max: highest(heights),
          geospatial_vertical_units: "m",
          geospatial_vertical_positive: "up",
          // There is no vertical reference system for ellipsoidal heights.
          geospatial_bounds_vertical_crs: references.has("EGM2008") ? "EPSG:3855" : undefined,
        };
  return { ...horizontal, ...vertical };
}

/** Returns well-known text with latitude before longitude, as in EPSG:4326. */
function outline(south: number, north: number, west: number, east: number): string {
  if (south === north && west === east) return `POINT (${south} ${west})`;
  if (south === north || west === east) return `LINESTRING (${south} ${west}, ${north} ${east})`;
  return `POLYGON ((${south} ${west}, ${south} ${east}, ${north} ${east}, ${north} ${west}, ${south} ${west}))`;
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((v) => v !== null && Number.isFinite(v)) as number[];
}

function lowest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => Math.min(a, b));
}

function highest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((a, b) => Math.max(a, b));
}

/** Formats a duration by ISO 8601 without months and years, whose length varies: `P31D`, `PT30S`, `P1DT0.5S`. */
function isoDuration(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = (ms % MINUTE_MS) / 1000;
  const time = `${hours ? `${hours}H` : ""}${minutes ? `${minutes}M` : ""}${seconds ? `${seconds}S` : ""}`;
  if (days === 0 && time === "") return "PT0S";
  return `P${days ? `${days}D` : ""}${time ? `T${time}` : ""}`;
}
