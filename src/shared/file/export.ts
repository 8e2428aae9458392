import type { HeightReference } from "../service/catalogue.ts";
import type { Variable } from "../service/variables.ts";
import type { SeriesMode } from "../series/rows.ts";
import type { TimeRange } from "../time/range.ts";

/**
 * - netcdf: NetCDF-4, CF-1.8
 * - csv: UTF-8, comma, RFC 4180
 * - excel: CSV as a spreadsheet reads it, in parts of at most 1,048,576 rows
 * - parquet: a folder of files by station and month, that tools read as one table
 * - sinex: SINEX_TRO 2.00
 * - sqlite: a database of plain rows
 * - netcdf3: NetCDF-3 with 64-bit offsets, otherwise as netcdf
 */
export const EXPORT_FORMATS = ["netcdf", "csv", "excel", "parquet", "sinex", "sqlite", "netcdf3"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How the names of files of a format end. */
export const EXPORT_EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  netcdf: "nc",
  csv: "csv",
  excel: "csv",
  parquet: "parquet",
  sinex: "tro",
  sqlite: "sqlite",
  netcdf3: "nc",
};

/** A selection of the cache, and the file that it is to become. */
export interface ExportRequest extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  /**
   * For an interval: false takes the averages that the service sent, true computes them from cached native rows by the
   * service's own rules.
   */
  readonly resampled: boolean;
  readonly format: ExportFormat;
  readonly heightReference: HeightReference;
  /**
   * The file, or the folder of a Parquet dataset. Per-satellite variables go to a sibling whose name ends in
   * `-satellites`, but for SQLite, which has them in a table of their own.
   */
  readonly path: string;
}

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface ExportReport {
  /** Data files. */
  readonly files: readonly ExportedFile[];
  /** What describes them; null beside a stream. */
  readonly sidecarPath: string | null;
  readonly rows: number;
  /** Stations of the selection without a single row in it: named here and in the sidecar, in no file silently. */
  readonly stationIdsWithoutRows: readonly string[];
}
