import type { ExportFormat } from "#shared/file/export.ts";
import type { VariableKind } from "#shared/service/variables.ts";

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
    case "sqlite":
      return 16_000 + rows * (SQLITE_BYTES_PER_ROW + 9 * columns);
    case "csv":
      return rows * (CSV_BYTES_PER_ROW + charactersPerRow + columns);
    case "excel":
      return XLSX_BYTES + rows * (XLSX_BYTES_PER_ROW + 0.9 * charactersPerRow);
  }
}
