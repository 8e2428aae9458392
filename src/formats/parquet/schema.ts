import type { KeyValue, SchemaElement } from "hyparquet";
import { variableKind, type Variable } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { COLUMN_NAMES, columnMeanings } from "../columnNames.ts";
import type { FileStation, SeriesFileSource } from "../source.ts";

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
const MOMENT = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
} as const;

/** The root and the columns: the named texts that are the same for a station, `time`, and the variables. */
export function schemaOf(stationColumns: readonly string[], variables: readonly Variable[]): SchemaElement[] {
  const columns: SchemaElement[] = [
    ...stationColumns.map((name): SchemaElement => ({ name, ...TEXT, repetition_type: "REQUIRED" })),
    { name: "time", ...MOMENT, repetition_type: "REQUIRED" },
    ...variables.map((v): SchemaElement => ({
      name: COLUMN_NAMES[v],
      ...(variableKind(v) === "scalar" ? { type: "DOUBLE" as const } : TEXT),
      repetition_type: "OPTIONAL",
    })),
  ];
  return [{ name: "schema", num_children: columns.length }, ...columns];
}

/** What the footer says of a file: where its rows come from, units and meanings of the columns, and its stations. */
export function keyValuesOf(source: SeriesFileSource, stations: readonly FileStation[]): KeyValue[] {
  const { provenance, intervalSeconds, raw, variables } = source;
  return Object.entries({
    title: provenance.title,
    summary: provenance.summary,
    service_origin: provenance.serviceOrigin,
    query: provenance.query,
    coverage: provenance.coverage,
    date_created: formatUtcShort(provenance.createdAtMs),
    time: intervalSeconds === null ? "time of the observation, UTC" : "start of the interval, UTC",
    quality_filter: raw ? "off: observations that fail the service's quality checks are included" : "on",
    columns: JSON.stringify(columnMeanings(variables)),
    stations: JSON.stringify(stations),
  }).map(([key, value]) => ({ key, value }));
}
