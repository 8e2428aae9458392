import type { ExportFormat } from "#shared/file/export.ts";
import type { VariableKind } from "#shared/service/variables.ts";

/** What is known of a file before it is written. */
export interface FileContent {
  readonly kind: VariableKind;
  readonly stations: number;
  /** Calendar months that the range touches. */
  readonly months: number;
  /** Times over all stations, and rows of a table: for satellites, one for each that is in view. */
  readonly epochs: number;
  readonly rows: number;
  /** Characters of the values of one row, written as text. */
  readonly charactersPerRow: number;
  readonly columns: number;
}

/** Bytes of a NetCDF file without rows: what HDF5 and the attributes take; the classic kind has the attributes only. */
const NETCDF_BYTES = 33_000;
const CLASSIC_BYTES = 12_000;
/** The metadata of all arrays, twice. */
const ZARR_BYTES = 50_000;
/** Header and footer of one file of a Parquet dataset. */
const PART_BYTES = 3_500;
/** `station_id,station_name,time` and the end of the line. */
const CSV_BYTES_PER_ROW = 67;
/** A workbook without rows; then a row of a sheet, compressed, without its values. */
const XLSX_BYTES = 2_500;
const XLSX_BYTES_PER_ROW = 16;
/** Code, epoch and the end of the line; then a value with its blank. */
const SINEX_BYTES_PER_ROW = 26;
const SINEX_BYTES_PER_VALUE = 9;
/** Station and time as texts, and what SQLite needs for a row of a table that is ordered by them. */
const SQLITE_BYTES_PER_ROW = 74;

/**
 * Bytes of a file, about: a file of ten million rows is estimated in a blink, and need not be to the byte. The shares of
 * what is compressed were measured over native rows, means and satellites.
 */
export function expectedBytes(format: ExportFormat, content: FileContent): number {
  const { kind, epochs, rows, stations, months, charactersPerRow, columns } = content;
  switch (format) {
    case "netcdf":
      return NETCDF_BYTES + rows * (kind === "scalar" ? 0.3 : 0.43) * charactersPerRow;
    case "netcdf3":
      // The axis is shared between stations; satellites have a time each, and often a second band.
      return (
        CLASSIC_BYTES + 8 * (kind === "scalar" ? rows * columns + epochs / Math.max(1, stations) : rows * (columns + 1))
      );
    case "zarr":
      return ZARR_BYTES + rows * (kind === "scalar" ? 0.35 : 0.5) * charactersPerRow;
    case "parquet":
      return PART_BYTES * stations * months + rows * (0.1 + 0.25 * charactersPerRow);
    case "sinex":
      return 2_000 + rows * (SINEX_BYTES_PER_ROW + SINEX_BYTES_PER_VALUE * columns);
    case "sqlite":
      return 16_000 + rows * (SQLITE_BYTES_PER_ROW + 9 * columns);
    case "csv":
      return rows * (CSV_BYTES_PER_ROW + charactersPerRow + columns);
    case "excel":
      return XLSX_BYTES + rows * (XLSX_BYTES_PER_ROW + 0.9 * charactersPerRow);
  }
}
