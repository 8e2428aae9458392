import type { KeyValue, SchemaElement } from "hyparquet";
import { formatUtcShort } from "#shared/time/utc.ts";
import { type ColumnMeaning, STATION_FIELDS, type StationField } from "../stationFields.ts";
import type { FileStation, SeriesFileSource } from "../source.ts";
import { encodeConstant, encodeDoubles, type EncodedColumn } from "./pages.ts";
import type { Table } from "./tables.ts";

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
const MOMENT = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
} as const;

const POSITION = ["latitude_deg", "longitude_deg", "height_m"] as const satisfies readonly StationField[];

function doubles(name: string): SchemaElement {
  return { name, type: "DOUBLE", repetition_type: "OPTIONAL" };
}

function texts(name: string): SchemaElement {
  return { name, ...TEXT, repetition_type: "REQUIRED" };
}

/** Returns the root and the columns: `station_id` if `hasId`, `station_name`, position, `time`, `prn`, values. */
export function schemaOf({ columns, hasSatellites }: Table, hasId: boolean): SchemaElement[] {
  const elements: SchemaElement[] = [
    ...(hasId ? [texts("station_id")] : []),
    texts("station_name"),
    ...POSITION.map(doubles),
    { name: "time", ...MOMENT, repetition_type: "REQUIRED" },
    ...(hasSatellites ? [texts("prn")] : []),
    ...columns.map(doubles),
  ];
  return [{ name: "schema", num_children: elements.length }, ...elements];
}

/** Encodes the columns with constant values for all rows of a station. */
export function stationColumns(station: FileStation, hasId: boolean, rows: number): EncodedColumn[] {
  return [
    ...(hasId ? [encodeConstant(station.id, rows)] : []),
    encodeConstant(station.displayName, rows),
    ...POSITION.map((field) => {
      const value = STATION_FIELDS[field].of(station);
      return encodeDoubles(new Float64Array(rows).fill(value ?? Number.NaN));
    }),
  ];
}

/** Returns metadata for the footer: provenance, units and descriptions of columns, and stations. */
export function keyValuesOf(source: SeriesFileSource, table: Table, stations: readonly FileStation[]): KeyValue[] {
  const { provenance, intervalSeconds, raw } = source;
  const positionMeanings = POSITION.map((field) => [field, meaningOf(STATION_FIELDS[field])] as const);
  return Object.entries({
    title: provenance.title,
    summary: provenance.summary,
    service_origin: provenance.serviceOrigin,
    query: provenance.query,
    coverage: provenance.coverage,
    date_created: formatUtcShort(provenance.createdAtMs),
    time: intervalSeconds === null ? "time of the observation, UTC" : "start of the interval, UTC",
    quality_filter: raw ? "off: observations that fail the service's quality checks are included" : "on",
    columns: JSON.stringify({ ...Object.fromEntries(positionMeanings), ...table.meanings }),
    stations: JSON.stringify(stations),
  }).map(([key, value]) => ({ key, value }));
}

function meaningOf({ unit, meaning, standard_name: name }: ColumnMeaning): ColumnMeaning {
  return { unit, meaning, ...(name === undefined ? {} : { standard_name: name }) };
}
