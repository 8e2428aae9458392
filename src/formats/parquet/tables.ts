import { variableInfo } from "#shared/service/variables.ts";
import { type ColumnMeaning, columnMeaning, columnMeanings } from "../stationFields.ts";
import { SatelliteReader } from "#shared/satellites/numbers.ts";
import { surveySatellites } from "../netcdf/satellites/survey.ts";
import { timesOfEntries } from "#shared/satellites/entries.ts";
import type { SeriesFileSource, WriteOptions } from "../source.ts";
import { guarded, satelliteBlocks } from "../sourceRows.ts";

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
    columns: source.variables.map((v) => variableInfo(v).column),
    hasSatellites: false,
    meanings: columnMeanings(source.variables),
    *blocks(station) {
      for (const { timesMs, columns } of guarded(() => source.blocks(station))) {
        const values = source.variables.map((v) => {
          const column = columns[v];
          return column?.kind === "scalar" ? column.values : undefined;
        });
        yield { timesMs, values, satellites: null };
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
