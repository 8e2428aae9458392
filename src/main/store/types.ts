import type { NearestValues } from "#shared/bridge/methods/snapshot.ts";
import type { CacheFindings, CacheStatistics, StationSize } from "#shared/series/cache.ts";
import type {
  DecimatedSeries,
  IrregularityCounts,
  ReceivedRows,
  Coverage,
  SeriesMode,
  SeriesRows,
  SeriesSelection,
} from "#shared/series/rows.ts";
import type { Catalogue, CatalogueStation, Network } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { Runs } from "#shared/time/runs.ts";
import type { StoreError } from "./errors.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** How long-running work reports its progress and is stopped. */
export interface WorkPace {
  /** Receives the completed share, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** The same in a thread, whose work does not wait for signals. */
export interface ThreadPace {
  /** Receives the completed share, 0 to 1, ascending. */
  readonly onProgress: (share: number) => void;
  /** To be called often. @throws Stopped */
  readonly throwIfStopped: () => void;
}

/** What was requested of the service. `range` is the requested range, aligned outward to whole intervals. */
export interface ResponseScope extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** A part of one series. */
export interface SeriesPart extends SeriesMode {
  readonly stationId: string;
  readonly variable: Variable;
  readonly range: TimeRange;
}

/**
 * Returns the coverage that a response adds to a series, given the coverage within and next to the range of the response.
 * It is called inside the transaction of the commit.
 */
export type CoverageJudge = (stationId: string, variable: Variable, before: Coverage) => Coverage;

/** The rows of one requested station in a response. */
export interface StationContents {
  readonly stationId: string;
  /** Rows that were left out: before the range, at its end or later, and off the grid of the interval. */
  readonly before: number;
  readonly beyond: number;
  readonly offGrid: number;
  /** The distance of the nearest row outside of the range from it, ms; Infinity if there is none. */
  readonly distanceMs: number;
  /** Values that another row of the same epoch contradicts. */
  readonly conflicts: number;
  /** Times of all rows within the scope. */
  readonly times: Runs;
  /** Times of the rows in which a variable has a value; an empty text is not a value. */
  readonly valueTimes: ReadonlyMap<Variable, Runs>;
}

export interface CommitReport {
  readonly rows: number;
  readonly bytesWritten: number;
  readonly irregularities: IrregularityCounts;
}

/**
 * Collects the rows of one response and commits them together with their coverage in one transaction. Values replace
 * stored ones of the same epoch; stored values that the response lacks stay. Rows outside the scope are counted and left
 * out. Memory stays constant: finished buckets are kept encoded until the commit.
 */
export interface ResponseWriter {
  add(block: ReceivedRows): void;
  /** Returns what has arrived of each requested station. Nothing may be added afterwards. */
  contents(): readonly StationContents[];
  commit(judge: CoverageJudge): CommitReport;
  abandon(): void;
}

export interface BlockCount {
  readonly range: TimeRange;
  readonly rows: number;
}

/** Moments for which values of many stations are requested. */
export interface MomentSelection extends SeriesMode {
  readonly stationIds: readonly string[];
  /** Scalar variables only. */
  readonly variables: readonly Variable[];
  /** Ascending. */
  readonly momentsMs: readonly UtcMs[];
  /** Maximum distance of a value from its moment, inclusive. */
  readonly withinMs: number;
}

/** Coverage and value counts of one series, read at the same moment. */
export interface CountedSeries {
  readonly coverage: Coverage;
  /** Number of values in each bin that the range touches; bins are counted from the epoch. */
  readonly values: Uint32Array;
}

export type Coverages = Partial<Record<Variable, Coverage>>;

/** The read-only part of a cache. */
export interface CacheReader {
  /** Changes with every commit of another process, or of another connection of this one, to the file. */
  foreignCommits(): number;
  catalogue(): Catalogue;
  /** Returns a station of the catalogue; null if it has none of this id. */
  station(id: string): CatalogueStation | null;
  coverage(stationId: string, variable: Variable, mode: SeriesMode): Coverage;
  /** Returns the modes in which anything was requested of a station. */
  modesOf(stationId: string): readonly SeriesMode[];
  /**
   * Yields rows in order of time, in blocks of one or several stored buckets, cut to the range. Rows in which none of
   * the variables is present are omitted.
   */
  blocks(selection: SeriesSelection): IterableIterator<SeriesRows>;
  /**
   * Like `blocks`, in arrays that are reused: each block is valid only until the next one is requested, from this
   * iterator or another.
   */
  reusedBlocks(selection: SeriesSelection): IterableIterator<SeriesRows>;
  /** Like `blocks`, for satellite variables only: as numbers where they are stored as numbers. */
  satellites(selection: SeriesSelection): IterableIterator<SatelliteBlock>;
  /** Returns all blocks joined. @param isUse whether this counts as a use of the station */
  rows(selection: SeriesSelection, isUse?: boolean): SeriesRows;
  /** Yields only the times of the rows of `blocks`, block by block, mostly without decoding values. */
  times(selection: SeriesSelection): IterableIterator<Runs>;
  /** Returns the times of the values of the selection's only variable. If they are kept, the next call is fast. */
  valueTimes(selection: SeriesSelection, isKept?: boolean): Runs;
  /**
   * Returns the coverage of the selection's only variable and the number of its values in each bin of `binMs`. If bins
   * are whole buckets, only the buckets at the ends of the range are decoded.
   */
  countBins(selection: SeriesSelection, binMs: number): CountedSeries;
  /**
   * Returns the number of values of the selection's only, scalar variable. Decodes only the buckets at the ends of the
   * range.
   */
  countValues(selection: SeriesSelection): number;
  /**
   * Returns the number of rows that `rows` would return. Decodes only the buckets at the ends of the range. If there
   * are more than `enough`, the result is any number above it.
   */
  countRows(selection: SeriesSelection, enough?: number): number;
  /**
   * Returns the row nearest to `timeMs` within the window in which any variable has a value, the earlier one of two;
   * or null.
   */
  nearest(selection: Omit<SeriesSelection, "range">, timeMs: UtcMs, window: TimeRange): SeriesRows | null;
  /** Finds the nearest value of each variable independently, for many stations and moments at once. */
  nearestEach(selection: MomentSelection): Partial<Record<Variable, NearestValues>>;
  /**
   * Returns the number of rows block by block, so that a row can be found by its number. The ranges are in order and
   * contain all rows.
   */
  countBlocks(selection: SeriesSelection): readonly BlockCount[];
  /**
   * Returns the scalar variables of the selection in columns of equal duration (see `DecimatedSeries`); `isUse` as in
   * `rows`.
   */
  decimate(selection: SeriesSelection, columns: number, isUse?: boolean): Partial<Record<Variable, DecimatedSeries>>;
  /** Returns the coverage within the range of all stations that have any in the mode, by station and variable. */
  coverages(mode: SeriesMode, variables: readonly Variable[], range: TimeRange): ReadonlyMap<string, Coverages>;
  /** Returns the full coverage of some stations for each variable, read at the same moment. */
  coveragesOf(stationIds: readonly string[], variables: readonly Variable[], mode: SeriesMode): readonly Coverage[][];
  /** Returns a small value stored beside the data, for example the learned limits; null if it was never set. */
  setting(name: string): string | null;
  statistics(): CacheStatistics;
  /** Returns the storage used by each station. Stations without data are included only if they are pinned. */
  sizes(): StationSize[];
  /** Returns the used bytes of the file, without freed pages. */
  usedBytes(): number;
}

/** The data to delete from a cache. */
export interface ForgetSelection {
  /** null: all. */
  readonly stationIds: readonly string[] | null;
  /** null: all. An interval that the range touches is deleted whole, because the rest of it would be no valid mean. */
  readonly range: TimeRange | null;
  /** null: all. */
  readonly variables: readonly Variable[] | null;
}

/** A cache: one file per connection, replaceable. Single writer. */
export interface Cache extends CacheReader {
  readonly path: string;
  /** Why the file can only be read: its disk is full or read-only. Settings then last until it is closed. */
  readonly refusal: StoreError | null;
  /** @throws StoreError if the file can only be read */
  assertWritable(): void;
  /** Path to which a damaged file was moved when the cache was opened; null if it was sound. */
  readonly quarantined: string | null;
  /**
   * Keeps all other processes out of the file while `work` runs.
   *
   * @param purpose completes the sentence of the error, for example "move the cache"
   * @throws StoreError `busy`, which names the processes that have the file open, before `work` begins
   */
  exclusively<T>(purpose: string, work: () => Promise<T>): Promise<T>;
  /** Returns whether the open file is still the one at its path. If not, all writes throw. */
  isInPlace(): boolean;
  replaceCatalogue(stations: readonly CatalogueStation[], networks: readonly Network[], fetchedAtMs: UtcMs): void;
  openResponse(scope: ResponseScope): ResponseWriter;
  /**
   * Replaces the coverage of parts of series, in one transaction.
   *
   * @param amend receives the coverage within and next to the part, and returns what replaces it
   */
  amendCoverage(parts: readonly SeriesPart[], amend: (before: Coverage, part: SeriesPart) => Coverage): void;
  /** Removes the values of a variable in these ranges, whose coverage stays: the service no longer has them. */
  removeValues(series: Omit<SeriesPart, "range">, ranges: RangeSet): void;
  setSetting(name: string, value: string | null): void;
  /**
   * Deletes rows and extents of the stations, the range and the variables (null: all).
   *
   * @returns the number of rows that were deleted or lost a variable
   * @throws StoreError `busy` if another process has the file open: it may be downloading, or exporting from it
   */
  forget(stationIds: readonly string[] | null, range: TimeRange | null, variables?: readonly Variable[] | null): number;
  /**
   * Deletes like `forget`, in small steps, so that other work gets its turn. If it is stopped, or the program ends, the
   * completed steps stay deleted, rows and extents together.
   *
   * @param onProgress receives the completed share of the chunks, 0 to 1
   * @returns the number of rows that were deleted or lost a variable
   * @throws StoreError as `forget`
   */
  forgetInSteps(forgetting: ForgetSelection, onProgress: (share: number) => void, signal: AbortSignal): Promise<number>;
  /** Protects stations from automatic deletion, or ends that protection. */
  pin(stationIds: readonly string[], isPinned: boolean): void;
  /**
   * Checks a snapshot of the whole file in a thread, without changing it. A file with a broken structure is quarantined
   * when it is opened next.
   *
   * @throws the reason of the signal when it aborts
   */
  check(pace: WorkPace): Promise<CacheFindings>;
  /**
   * Removes damaged data with their coverage, so that they are requested again; everything else is kept and can be read
   * meanwhile. Damage that only a new file can repair is reported as `structure`.
   *
   * @throws StoreError, and the reason of the signal when it aborts: repairs made by then stay
   */
  repair(pace: WorkPace): Promise<CacheFindings>;
  /**
   * Returns freed pages to the file system, in a thread. The cache can be read meanwhile; writes are refused with
   * `busy`.
   *
   * @throws StoreError if the disk is full or another process has the file open; the reason of the signal when it
   * aborts. The file is unchanged then.
   */
  compact(pace: WorkPace): Promise<void>;
  /**
   * Copies the file while it is in use, and verifies the whole copy.
   *
   * @param target path of a file that does not exist
   * @param onProgress receives the copied share of the pages, 0 to 1
   * @throws StoreError if it cannot be copied, or another program writes to the file; no part of the copy is left then
   */
  copyTo(target: string, onProgress: (share: number) => void): Promise<void>;
  close(): void;
}
