import { variableInfo } from "#shared/service/variables.ts";
import { columnMeanings } from "#formats/stationFields.ts";
import type { SatelliteSurvey } from "#formats/netcdf/satellites/survey.ts";
import type { FileStation, SeriesFileSource } from "#formats/source.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { PlainTable, PlainValue } from "../store/database/plain.ts";
import type { ExportSources } from "./source.ts";

const text = (name: string) => ({ name, type: "TEXT" as const });
const real = (name: string) => ({ name, type: "REAL" as const });

const STATION_COLUMNS = [
  text("id"),
  text("name"),
  text("network_code"),
  text("country_code"),
  text("location_alias"),
  text("source_type"),
  real("latitude_deg"),
  real("longitude_deg"),
  real("height_m"),
  text("height_reference"),
];

const KEY_COLUMNS = [text("station_id"), text("time")];

/** The tables of an export, by what it holds. */
export function exportTables(series: SeriesFileSource | null, survey: SatelliteSurvey | null): PlainTable[] {
  const columns = [...KEY_COLUMNS, ...(series?.variables ?? []).map((v) => real(variableInfo(v).column))];
  const seen = ["el_deg", "az_deg", ...(survey?.bands.names ?? []).map((band) => `cn0_${band}_dbhz`)];
  return [
    { name: "about", columns: [text("key"), text("value")], primaryKey: ["key"] },
    { name: "station", columns: STATION_COLUMNS, primaryKey: ["id"] },
    ...(series ? [{ name: "measurement", columns, primaryKey: ["station_id", "time"] }] : []),
    ...(survey
      ? [
          {
            name: "satellite",
            columns: [...KEY_COLUMNS, text("prn"), ...seen.map(real)],
            primaryKey: ["station_id", "time", "prn"],
          },
        ]
      : []),
  ];
}

/** What the rows do not tell of themselves. */
export function aboutRows({ series, satellites }: ExportSources): [string, string][] {
  const { provenance, intervalSeconds, raw } = (series ?? satellites)!;
  return Object.entries({
    title: provenance.title,
    summary: provenance.summary,
    program: provenance.program,
    service_origin: provenance.serviceOrigin,
    created: formatUtcShort(provenance.createdAtMs),
    query: provenance.query,
    coverage: provenance.coverage,
    time: intervalSeconds === null ? "time of the observation, UTC" : "start of the interval, UTC",
    quality_filter: raw ? "off: observations that fail the service's quality checks are included" : "on",
    columns: JSON.stringify(columnMeanings([...(series?.variables ?? []), ...(satellites?.variables ?? [])])),
  });
}

export function stationRow(s: FileStation): PlainValue[] {
  const { id, displayName, networkCode, countryCode, locationAlias, sourceType } = s;
  const place = [s.latitudeDeg, s.longitudeDeg, s.height];
  return [id, displayName, networkCode, countryCode, locationAlias, sourceType, ...place, s.heightReference];
}
