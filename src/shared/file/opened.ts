import type { ScalarVariable } from "../service/variables.ts";
import type { Cell } from "../series/cell.ts";
import type { Position } from "../station/position.ts";
import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";
import type { TextTable } from "./columns.ts";
import { unitNamed } from "./units.ts";

/**
 * Single-use permission of a shell to open one file that the user chose, dropped, uploaded, or asked the system to open.
 * A page never names a path.
 */
export interface FileGrant {
  readonly grantId: string;
  /** Without its folder. */
  readonly name: string;
  readonly bytes: number;
  /** By its extension: `views` are for `views.openFile`, all others for `files.open`. */
  readonly kind: "data" | "views";
}

/** A local file that was opened before. */
export interface RecentFile {
  readonly recentId: string;
  /** Without its folder. */
  readonly name: string;
  readonly folder: string;
  readonly openedAtMs: UtcMs;
}

/** The names of the formats of opened files. */
export const OPENED_FORMATS = {
  netcdf3: "NetCDF-3",
  netcdf4: "NetCDF-4",
  csv: "CSV",
  parquet: "Parquet",
  sqlite: "SQLite",
  excel: "Excel",
  sinex: "SINEX_TRO",
  cost: "COST-716",
} as const;

/** An open file of series, separate from the cache, until it is closed or the program ends. */
export interface OpenedFile {
  readonly id: string;
  /** Without its folder. */
  readonly name: string;
  readonly format: keyof typeof OPENED_FORMATS;
  readonly bytes: number;
  /** From the file's own metadata; null if absent. */
  readonly title: string | null;
  readonly source: string | null;
  /** Sentences about unreadable or omitted parts and assumptions. */
  readonly notes: readonly string[];
  /** Columns of a text table. Without a time column it has no series until the user chooses one. */
  readonly table?: TextTable;
  /** In the order of the file, grouped by station. For a large grid, only its first points. */
  readonly series: readonly FileSeries[];
  /** Quantities on a grid of latitudes and longitudes; all points can be read. */
  readonly grids?: readonly FileGrid[];
}

/** A quantity over time at each point of a grid. */
export interface FileGrid {
  /** Unique in its file. */
  readonly id: string;
  readonly quantity: FileQuantity;
  /** Degrees, ascending or descending. */
  readonly latitudesDeg: readonly number[];
  /** Degrees east, ascending or descending, in any range of 360°. */
  readonly longitudesDeg: readonly number[];
  /** See `FileSeries.cell`. */
  readonly cell?: Cell | null;
  /** From the first epoch to just after the last; null without rows. */
  readonly range: TimeRange | null;
}

/** Indices of a point on the axes of its grid. */
export interface GridPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** One quantity of one station, satellite or other feature over time. */
export interface FileSeries {
  /** Unique in its file. */
  readonly id: string;
  /** The station's id or name in the file, or else the name of the variable. */
  readonly label: string;
  /** The station's id in the file (`cf_role = "timeseries_id"`, `station_id`), or null. */
  readonly stationId: string | null;
  /** DOMES number of the site (`14201M010`), if the file has one. */
  readonly domes?: string | null;
  /** Identifier such as `G01` if the series belongs to one satellite, else null. */
  readonly satellite: string | null;
  readonly position: Position | null;
  readonly quantity: FileQuantity;
  /** What its values stand for, if the file states it; null or absent: unknown. */
  readonly cell?: Cell | null;
  /** Number of epochs, with or without a value. */
  readonly rows: number;
  /** From the first epoch to just after the last; null without rows. */
  readonly range: TimeRange | null;
  /** Series with the same id have identical epochs and can be shown in one table. */
  readonly timesId: string;
}

export interface FileQuantity {
  /** Name of the variable or column in the file. */
  readonly name: string;
  readonly longName: string | null;
  readonly standardName: string | null;
  /** Unit of the returned values, in the file's spelling; null if unknown. */
  readonly unit: string | null;
  /** The matching scalar variable of the service by name, standard name and unit, whose panel it may share; or null. */
  readonly variable: ScalarVariable | null;
  /** Description of the conversion from the values in the file; null if they are unchanged. */
  readonly conversion: string | null;
}

/** Extensions of supported files, for dialogs. The format is determined by the first bytes. */
export const OPENED_EXTENSIONS = [
  "nc",
  "nc4",
  "cdf",
  "netcdf",
  "h5",
  "csv",
  "tsv",
  "txt",
  "parquet",
  "sqlite",
  "db",
  "xlsx",
  "tro",
  "gz",
  "z",
  "zip",
] as const;

/** Pressure reduced to sea level, of the vapour alone, or its uncertainty is not the pressure at the site. */
const OTHER_PRESSURE = /sea_?level|vapou?r|partial|dew|sigma|std|error|(?:^|_)(?:msl|mslp|slp|qff|qnh)(?:_|$)/i;

/** Returns the factor that converts a quantity to pressure at its site in hPa; null if it is not such a pressure. */
export function hPaFactor({ name, standardName, unit }: FileQuantity): number | null {
  return OTHER_PRESSURE.test(standardName ?? name) ? null : (unitNamed(unit ?? "")?.hPa ?? null);
}
