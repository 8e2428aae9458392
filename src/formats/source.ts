import type { FileLayout } from "#shared/file/export.ts";
import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** What a file says of a station. Heights in metres, angles in degrees; null where not known. */
export interface FileStation {
  readonly id: string;
  readonly displayName: string;
  readonly networkCode: string;
  readonly countryCode: string;
  readonly locationAlias: string;
  readonly sourceType: string;
  readonly latitudeDeg: number | null;
  readonly longitudeDeg: number | null;
  readonly height: number | null;
  readonly heightReference: "WGS84_ELLIPSOID" | "EGM2008";
  /** Heights above each reference, for formats that have a place for both; only `height` is known where they are not given. */
  readonly heights?: { readonly ellipsoidal: number | null; readonly orthometric: number | null };
}

/** Where the rows of a file come from and how they were made; goes into its global attributes and its sidecar. */
export interface FileProvenance {
  readonly title: string;
  readonly summary: string;
  readonly institution: string;
  /** Origin of the service, never with a key, a user or a path. */
  readonly serviceOrigin: string;
  readonly program: string;
  readonly createdAtMs: UtcMs;
  /** The query as JSON text. */
  readonly query: string;
  /** A sentence on how complete the rows are. */
  readonly coverage: string;
}

/**
 * The content of a file of series, whoever writes it: export from the cache, or the reference service. `blocks` gives
 * the rows of one station in time order and may be called several times with the same answer each time; a block is good
 * until the next one is asked for.
 */
export interface SeriesFileSource {
  readonly stations: readonly FileStation[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  /** null: every observation. */
  readonly intervalSeconds: number | null;
  readonly raw: boolean;
  readonly provenance: FileProvenance;
  blocks(stationIndex: number): Iterable<SeriesRows>;
  /**
   * Only the times of the same rows, in the same order, for a source that can read them for less than whole rows.
   * A writer that must know the time axis beforehand asks here first.
   */
  times?(stationIndex: number): Iterable<Runs>;
  /** Times among which those of the rows are, where they cost less: for what holds of all of them. */
  timesAround?(stationIndex: number): Iterable<Runs>;
  /** The same rows of satellite variables, for a source that keeps them as numbers: see `satelliteBlocks`. */
  satellites?(stationIndex: number): Iterable<SatelliteBlock>;
}

/** How a file of arrays is laid out, and what that costs. */
export interface LayoutTold {
  readonly layout: FileLayout;
  readonly stations: number;
  /** Moments of the time axis of a grid; null for a ragged file. */
  readonly moments: number | null;
  /** Share of the cells of a grid that hold no row; 0 for a ragged file. */
  readonly emptyShare: number;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
  /** Rows written so far. */
  readonly onProgress?: (rows: number) => void;
  /** The layout of a file of arrays, before any of it is written. */
  readonly onLayout?: (told: LayoutTold) => void;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
  /** Stations with at least one row, and rows over all of them. */
  readonly stationsWithRows: number;
  readonly rows: number;
}
