import type { SatelliteProblemCount } from "../satellites/problems.ts";
import type { ExportFormat } from "./formats.ts";
import type { HeightReference } from "../service/catalogue.ts";
import type { Variable } from "../service/variables.ts";
import { firstNames, many } from "../text.ts";
import type { SeriesMode } from "../series/rows.ts";
import type { TimeRange } from "../time/range.ts";

/**
 * Details of the station in each row of a table (CSV, Excel), beside its identifier.
 *
 * - name: its display name
 * - columns: name, latitude, longitude and height
 * - file: its name; the other details are in a second table of stations, whose name ends in `-stations`
 */
export const STATION_DETAILS = ["name", "columns", "file"] as const;
export type StationDetails = (typeof STATION_DETAILS)[number];

/** Time system of the epochs of SINEX_TRO. */
export const TIME_SYSTEMS = ["utc", "gps"] as const;
export type TimeSystem = (typeof TIME_SYSTEMS)[number];

/**
 * Layout of the rows of several stations in a file of an array format. The default is a grid.
 *
 * - grid: one time axis for all, `(time, station)`, with fill values for missing observations
 * - ragged: the rows of one station after another, with the number of rows of each
 */
export const FILE_LAYOUTS = ["grid", "ragged"] as const;
export type FileLayout = (typeof FILE_LAYOUTS)[number];

/** Above this share of empty cells of a grid, the user is advised to use the ragged layout. */
export const MOSTLY_EMPTY = 0.8;

/** A selection of cached data and the file to write. */
export interface ExportRequest extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  /**
   * For an interval: false exports the averages that the service sent, true computes them from cached native rows by the
   * rules of the service.
   */
  readonly resampled: boolean;
  /** With local averages of a day: those of the days of this time zone. */
  readonly zone?: string | undefined;
  readonly format: ExportFormat;
  readonly heightReference: HeightReference;
  /** Default: `name`. */
  readonly stationDetails?: StationDetails | undefined;
  /** Whether a table includes rows without any value. Default: false. */
  readonly emptyRows?: boolean | undefined;
  /** For SINEX_TRO. Default: utc. */
  readonly timeSystem?: TimeSystem | undefined;
  /** For array formats. Default: grid. */
  readonly layout?: FileLayout | undefined;
  /** For Parquet: updates an existing dataset with new and changed rows, in whole months, without satellites. */
  readonly isUpdate?: boolean | undefined;
  /**
   * The file, or the folder of a Parquet dataset or Zarr store. Per-satellite variables go to a second file whose name
   * ends in `-satellites`, except in SQLite, which has a table for them.
   */
  readonly path: string;
}

/** A sentence on stations that an export lacks because they are not in the catalogue; null if there are none. */
export function unknownStationsSentence(ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  return `${many(ids.length, "station")} ${ids.length === 1 ? "is" : "are"} not in the catalogue of this connection and without values in the file: ${firstNames(ids, MAX_NAMED_STATIONS)}.`;
}

const MAX_NAMED_STATIONS = 3;

export interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface ExportReport {
  /** Data files. */
  readonly files: readonly ExportedFile[];
  /** The file that describes them; null for a stream. */
  readonly sidecarPath: string | null;
  readonly rows: number;
  /** Selected stations without any row; the sidecar names them too. */
  readonly stationIdsWithoutRows: readonly string[];
  /** Those of them that are not in the catalogue: the service removed them, and nothing of them is cached. */
  readonly unknownStationIds: readonly string[];
  /** Values of satellites that could not be read and are left out; the sidecar lists them too. */
  readonly satelliteProblems: readonly SatelliteProblemCount[];
  /** For an update: numbers of partitions (station and month), and of partitions that were kept because less of them is cached now. */
  readonly updated?: {
    readonly written: number;
    readonly unchanged: number;
    readonly removed: number;
    readonly kept: readonly { readonly stationId: string; readonly month: string }[];
  };
}
