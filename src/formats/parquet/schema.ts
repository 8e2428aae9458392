import type { KeyValue, SchemaElement } from "hyparquet";
import { timesOfEntries } from "#shared/satellites/values.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { surveySatellites } from "../netcdf/satellites/survey.ts";
import {
  type FileStation,
  guarded,
  intervalLengths,
  satelliteBlocks,
  type SeriesFileSource,
  timeMeaning,
  type WriteOptions,
} from "../source.ts";
import {
  type ColumnMeaning,
  columnMeaning,
  columnMeanings,
  seriesColumns,
  STATION_FIELDS,
  type StationField,
} from "../stationFields.ts";
import { encodeConstantDouble, encodeConstantText, type EncodedColumn } from "./pages.ts";

/** Rows of one station, as parallel arrays. */
export interface TableBlock {
  readonly timesMs: Float64Array;
  /** Columns of values; NaN: no value. undefined: no value in any row. */
  readonly values: readonly (Float64Array | undefined)[];
  /** The satellite of each row as an index into `names`. */
  readonly satellites: { readonly names: readonly string[]; readonly indices: Uint32Array } | null;
}

/** The content of a file as a table of doubles, by station and time. */
export interface Table {
  /** Names of the columns of values, which follow `time` and, with satellites, `prn`. */
  readonly columns: readonly string[];
  readonly hasSatellites: boolean;
  readonly meanings: Readonly<Record<string, ColumnMeaning>>;
  blocks(station: number): Iterable<TableBlock>;
}

/**
 * Returns the content of a source as a table. Scalar variables have a row per time. Satellites have a row per time and
 * satellite, with elevation, azimuth and C/N0 in every band, for which the source is read twice.
 */
export async function tableOf(source: SeriesFileSource, options: WriteOptions): Promise<Table> {
  return source.variables.includes("prn") ? satelliteTable(source, options) : seriesTable(source);
}

function seriesTable(source: SeriesFileSource): Table {
  return {
    columns: seriesColumns(source),
    hasSatellites: false,
    meanings: columnMeanings(source.variables, source.intervalSeconds),
    *blocks(station) {
      for (const { timesMs, columns } of guarded(() => source.blocks(station))) {
        const values = source.variables.map((v) => {
          const column = columns[v];
          return column?.kind === "scalar" ? column.values : undefined;
        });
        const lengths = intervalLengths(source, timesMs);
        yield { timesMs, values: lengths === null ? values : [lengths, ...values], satellites: null };
      }
    },
  };
}

async function satelliteTable(source: SeriesFileSource, options: WriteOptions): Promise<Table> {
  const { bands } = await surveySatellites(source, options);
  const reader = new SatelliteReader(bands);
  const cn0 = bands.names.map((band) => `cn0_${band}_dbhz`);
  return {
    columns: ["el_deg", "az_deg", ...cn0],
    hasSatellites: true,
    meanings: {
      prn: { unit: "", meaning: "Satellite: G01 is GPS, R GLONASS, E Galileo, C BeiDou." },
      el_deg: columnMeaning("el"),
      az_deg: columnMeaning("az"),
      ...Object.fromEntries(
        cn0.map((name, i) => [name, { ...columnMeaning("snr"), meaning: `C/N0 of band ${bands.names[i]}.` }]),
      ),
    },
    *blocks(station) {
      for (const block of satelliteBlocks(source, station)) {
        const seen = reader.read(block);
        yield {
          timesMs: timesOfEntries(seen),
          values: [seen.elevationDeg, seen.azimuthDeg, ...seen.cn0DbHz],
          satellites: { names: seen.prns, indices: seen.prn },
        };
      }
    },
  };
}

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
    texts("height_reference"),
    { name: "time", ...MOMENT, repetition_type: "REQUIRED" },
    ...(hasSatellites ? [texts("prn")] : []),
    ...columns.map(doubles),
  ];
  return [{ name: "schema", num_children: elements.length }, ...elements];
}

/** Encodes the columns with constant values for all rows of a station. */
export function stationColumns(station: FileStation, hasId: boolean, rows: number): Promise<EncodedColumn>[] {
  return [
    ...(hasId ? [encodeConstantText(station.id, rows)] : []),
    encodeConstantText(station.displayName, rows),
    ...POSITION.map((field) => encodeConstantDouble(STATION_FIELDS[field].of(station) ?? null, rows)),
    encodeConstantText(station.heightReference, rows),
  ];
}

/** Returns metadata for the footer: provenance, units and descriptions of columns, and stations. */
export function keyValuesOf(source: SeriesFileSource, table: Table, stations: readonly FileStation[]): KeyValue[] {
  const { provenance, raw } = source;
  const positionMeanings = [...POSITION, "height_reference" as const].map(
    (field) => [field, fieldMeaning(STATION_FIELDS[field])] as const,
  );
  return Object.entries({
    title: provenance.title,
    summary: provenance.summary,
    service: provenance.service,
    query: provenance.query,
    coverage: provenance.coverage,
    date_created: formatUtcShort(provenance.createdAtMs),
    time: timeMeaning(source),
    quality_filter: raw ? "off: observations that fail the service's quality checks are included" : "on",
    columns: JSON.stringify({ ...Object.fromEntries(positionMeanings), ...table.meanings }),
    stations: JSON.stringify(stations),
  }).map(([key, value]) => ({ key, value }));
}

function fieldMeaning({ unit, meaning, standard_name: name }: ColumnMeaning): ColumnMeaning {
  return { unit, meaning, ...(name === undefined ? {} : { standard_name: name }) };
}
