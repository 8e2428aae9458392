import type { ExportFormat, ExportRequest } from "#shared/file/export.ts";
import type { Column } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type Variable, variableKind, type VariableKind } from "#shared/service/variables.ts";
import { readBlocks } from "../../export/source.ts";
import type { CacheReader } from "../../store/types.ts";

/** Averages over a few rows, from which the size of a file is estimated without reading it all. */
interface Sample {
  /** Rows of the file per epoch: 1 for scalar variables, else the number of satellites in view. */
  readonly rowsPerEpoch: number;
  /** Characters of one row's values, written as text. */
  readonly charactersPerRow: number;
}

const SAMPLED_ROWS = 300;

/** Samples the first station with rows; null if none has any. */
export function sample(
  cache: CacheReader,
  request: Omit<ExportRequest, "path">,
  stations: readonly CatalogueStation[],
  variables: readonly Variable[],
): Sample | null {
  for (const station of stations) {
    for (const block of readBlocks(cache, request, station, variables)) {
      const epochs = Math.min(SAMPLED_ROWS, block.timesMs.length);
      if (epochs === 0) continue;
      const characters = variables.reduce((sum, v) => sum + charactersOf(block.columns[v], epochs), 0);
      if (variables.every((v) => variableKind(v) === "scalar"))
        return { rowsPerEpoch: 1, charactersPerRow: characters / epochs };
      const satellites = satellitesOf(block.columns.prn, epochs);
      return satellites === 0 ? null : { rowsPerEpoch: satellites / epochs, charactersPerRow: characters / satellites };
    }
  }
  return null;
}

function charactersOf(column: Column | undefined, epochs: number): number {
  if (!column) return 0;
  let sum = 0;
  for (let i = 0; i < epochs; i++) {
    const value = column.values[i];
    if (typeof value === "string") sum += value.length;
    else if (typeof value === "number" && !Number.isNaN(value)) sum += String(value).length;
  }
  return sum;
}

function satellitesOf(prn: Column | undefined, epochs: number): number {
  if (prn?.kind !== "text") return 0;
  let sum = 0;
  for (const text of prn.values.slice(0, epochs)) if (text) sum += text.split(",").length;
  return sum;
}

/** Counts of a file's content before it is written. */
interface FileContent {
  readonly kind: VariableKind;
  readonly stations: number;
  /** Calendar months that overlap the range. */
  readonly months: number;
  /** Epochs of all stations together. A table has one row per epoch; for satellites, one per satellite in view. */
  readonly epochs: number;
  readonly rows: number;
  /** Characters of one row's values, written as text. */
  readonly charactersPerRow: number;
  readonly columns: number;
}

/** Bytes of a NetCDF file without rows: HDF5 structures and attributes; the classic format has only attributes. */
const NETCDF_BYTES = 33_000;
const CLASSIC_BYTES = 12_000;
/** The metadata of all arrays, which is stored twice. */
const ZARR_BYTES = 50_000;
/** Header and footer of one file of a Parquet dataset. */
const PART_BYTES = 3_500;
/** `station_id,station_name,time` and the line end. */
const CSV_BYTES_PER_ROW = 67;
/** A workbook without rows; a compressed row of a sheet without its values. */
const XLSX_BYTES = 2_500;
const XLSX_BYTES_PER_ROW = 16;
/** Code, epoch and line end; a value with its blank. */
const SINEX_BYTES_PER_ROW = 26;
const SINEX_BYTES_PER_VALUE = 9;
/** Station and time as text, and SQLite's overhead for a row of a table that is ordered by them. */
const SQLITE_BYTES_PER_ROW = 74;

/**
 * Approximate size of a file in bytes. The compression ratios were measured with native rows, means and satellites.
 */
export function expectedBytes(format: ExportFormat, content: FileContent): number {
  const { kind, epochs, rows, stations, months, charactersPerRow, columns } = content;
  switch (format) {
    case "netcdf":
      return NETCDF_BYTES + rows * (kind === "scalar" ? 0.3 : 0.43) * charactersPerRow;
    case "netcdf3":
      // Stations share the time axis; each satellite row has a time, and often a second band.
      return (
        CLASSIC_BYTES + 8 * (kind === "scalar" ? rows * columns + epochs / Math.max(1, stations) : rows * (columns + 1))
      );
    case "zarr":
      return ZARR_BYTES + rows * (kind === "scalar" ? 0.35 : 0.5) * charactersPerRow;
    case "parquet":
      return PART_BYTES * stations * months + rows * (0.1 + 0.25 * charactersPerRow);
    case "sinex":
      return 2_000 + rows * (SINEX_BYTES_PER_ROW + SINEX_BYTES_PER_VALUE * columns);
    case "cost":
      // A row, its slant delays, and the header of each day.
      return 600 * stations + rows * 108;
    case "sqlite":
      return 16_000 + rows * (SQLITE_BYTES_PER_ROW + 9 * columns);
    case "csv":
      return rows * (CSV_BYTES_PER_ROW + charactersPerRow + columns);
    case "excel":
      return XLSX_BYTES + rows * (XLSX_BYTES_PER_ROW + 0.9 * charactersPerRow);
  }
}
