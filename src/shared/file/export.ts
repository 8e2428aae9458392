import type { HeightReference } from "../service/catalogue.ts";
import type { Variable } from "../service/variables.ts";
import type { SeriesMode } from "../series/rows.ts";
import type { TimeRange } from "../time/range.ts";

/**
 * - netcdf: NetCDF-4, CF-1.8
 * - csv: UTF-8, comma, RFC 4180
 * - excel: CSV as a spreadsheet reads it, in parts of at most 1,048,576 rows
 */
export const EXPORT_FORMATS = ["netcdf", "csv", "excel"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

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
  /** The file; per-satellite variables go to a sibling whose name ends in `-satellites`. */
  readonly path: string;
}

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface ExportReport {
  /** Data files, then the sidecar that describes them. */
  readonly files: readonly ExportedFile[];
  readonly sidecarPath: string;
  readonly rows: number;
  /** Stations of the selection without a single row in it: named here and in the sidecar, in no file silently. */
  readonly stationIdsWithoutRows: readonly string[];
}
