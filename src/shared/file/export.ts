import type { HeightReference } from "../service/catalogue.ts";
import type { Variable } from "../service/variables.ts";
import type { SeriesMode } from "../series/rows.ts";
import type { TimeRange } from "../time/range.ts";

/**
 * - netcdf: NetCDF-4, CF-1.8
 * - csv: UTF-8, comma, RFC 4180
 * - excel: a workbook (.xlsx), a sheet for every 1,048,575 rows
 * - parquet: a folder of files by station and month, that tools read as one table
 * - sinex: SINEX_TRO 2.00
 * - sqlite: a database of plain rows
 * - netcdf3: NetCDF-3 with 64-bit offsets, otherwise as netcdf
 * - zarr: a folder, Zarr of version 3 in shards, with the variables of netcdf
 */
export const EXPORT_FORMATS = ["netcdf", "csv", "excel", "parquet", "sinex", "sqlite", "netcdf3", "zarr"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How the names of files of a format end. */
export const EXPORT_EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  netcdf: "nc",
  csv: "csv",
  excel: "xlsx",
  parquet: "parquet",
  sinex: "tro",
  sqlite: "sqlite",
  netcdf3: "nc",
  zarr: "zarr",
};

/** Formats of one row for each station and time: for these, rows without any value are left out unless they are wanted. */
export const TABLE_FORMATS: ReadonlySet<ExportFormat> = new Set(["csv", "excel", "parquet", "sinex", "sqlite"]);

/**
 * What a table (CSV, Excel) tells of a station in each of its rows, beside its identifier.
 *
 * - name: its display name
 * - columns: name, latitude, longitude and height
 * - file: its name; all else in a second table, of stations, whose name ends in `-stations`
 */
export const STATION_DETAILS = ["name", "columns", "file"] as const;
export type StationDetails = (typeof STATION_DETAILS)[number];
/** The formats that ask for it: the others have a place of their own for stations. */
export const DETAILED_FORMATS: ReadonlySet<ExportFormat> = new Set(["csv", "excel"]);

/**
 * How the rows of several stations lie in a file.
 *
 * - grid: one time axis for all, `(time, station)`, with fill values where a station has no observation
 * - ragged: the rows of one station after those of another, with the number of rows of each
 */
export const FILE_LAYOUTS = ["grid", "ragged"] as const;
export type FileLayout = (typeof FILE_LAYOUTS)[number];
/** The formats of arrays, which have either layout: a grid where none is named. */
export const ARRAY_FORMATS: ReadonlySet<ExportFormat> = new Set(["netcdf", "netcdf3", "zarr"]);

/** Beyond this share of cells without a row, a ragged file is worth a thought. */
export const MOSTLY_EMPTY = 0.8;

/** The formats of which an export is a folder, where it is not a download. */
export const FOLDER_FORMATS: ReadonlySet<ExportFormat> = new Set(["parquet", "zarr"]);

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
  /** `name` where it is not given. */
  readonly stationDetails?: StationDetails | undefined;
  /** Whether rows without any value are kept in a table: they are not, where it is not given. */
  readonly emptyRows?: boolean | undefined;
  /** For a format of arrays: a grid where it is not given. */
  readonly layout?: FileLayout | undefined;
  /** For Parquet: the dataset that is there gets what is new or different; whole months of series without satellites. */
  readonly isUpdate?: boolean | undefined;
  /**
   * The file, or the folder of a Parquet dataset or Zarr store. Per-satellite variables go to a sibling whose name ends in
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
  /** Of an update: partitions of a station and a month. */
  readonly updated?: { readonly written: number; readonly unchanged: number; readonly removed: number };
}
