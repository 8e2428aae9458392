import type { ScalarVariable } from "../service/variables.ts";
import type { TextTable } from "./columns.ts";
import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";

/**
 * Leave to open one file, given by a shell: for what the user chose, dropped, uploaded, or asked the system to open.
 * A page never names a path. It is used up when it is opened.
 */
export interface FileGrant {
  readonly grantId: string;
  /** Without its folder. */
  readonly name: string;
  readonly bytes: number;
  /** By the ending of its name: `views` go to `views.openFile`, all else to `files.open`. */
  readonly kind: "data" | "views";
}

/** A file that was opened before, from where it lies on this computer. */
export interface RecentFile {
  readonly recentId: string;
  /** Without its folder. */
  readonly name: string;
  readonly folder: string;
  readonly openedAtMs: UtcMs;
}

/** A file of series that is open, beside the cache and never mixed with it. Gone when it is closed or the program ends. */
export interface OpenedFile {
  readonly id: string;
  /** Without its folder. */
  readonly name: string;
  readonly format: "netcdf3" | "netcdf4" | "csv" | "parquet" | "sqlite" | "excel" | "sinex" | "cost";
  readonly bytes: number;
  /** What the file says of itself; null where it says nothing. */
  readonly title: string | null;
  readonly source: string | null;
  /** Sentences about what could not be read, was left out, or had to be assumed. */
  readonly notes: readonly string[];
  /** Of a table of text: its columns. Without one of time it has no series until the user chose one. */
  readonly table?: TextTable;
  /** In the order of the file; series of one station stand together. Of a large grid, those of its first points. */
  readonly series: readonly FileSeries[];
  /** Quantities on a grid of latitudes and longitudes; all of its points can be read. */
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
  /** From the first epoch to just after the last; null where there are no rows. */
  readonly range: TimeRange | null;
}

/** Places of a point in the axes of its grid. */
export interface GridPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** One quantity of one station (or satellite, or whatever the file has) over time. */
export interface FileSeries {
  /** Unique in its file. */
  readonly id: string;
  /** The station's id or name as the file tells it; the name of the variable where it tells none. */
  readonly label: string;
  /** What the file calls the id of the station (`cf_role = "timeseries_id"`, `station_id`); null where nothing is. */
  readonly stationId: string | null;
  /** DOMES number of the site (`14201M010`), if the file has one. */
  readonly domes?: string | null;
  /** As in `G01`, where the series is that of one satellite. */
  readonly satellite: string | null;
  readonly position: FilePosition | null;
  readonly quantity: FileQuantity;
  /** Epochs that the file has for it; values among them may be missing. */
  readonly rows: number;
  /** From the first epoch to just after the last; null where there are no rows. */
  readonly range: TimeRange | null;
  /** Series with the same word share their epochs row by row, and can stand in one table. */
  readonly timesId: string;
}

/** Angles in degrees, the height in metres; null where the file does not tell. */
export interface FilePosition {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly height: number | null;
  /** What the height is above, in words (`WGS84 ellipsoid`, `geoid`); null where the file does not tell. */
  readonly heightReference: string | null;
}

export interface FileQuantity {
  /** Of the variable or column in the file. */
  readonly name: string;
  readonly longName: string | null;
  readonly standardName: string | null;
  /** Of the values as they are given here, as the file writes it; null where it tells none. */
  readonly unit: string | null;
  /** The scalar variable of the service that it is, by name, standard name and unit: it may share its panel. */
  readonly variable: ScalarVariable | null;
  /** How the values of the file became those given here, in words; null where they are the same. */
  readonly conversion: string | null;
}

/** Endings of files that can be opened, for dialogs; what a file is, its first bytes tell. */
export const OPENED_ENDINGS = [
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
