import type { JobProgress, JobSpec } from "#shared/job/job.ts";
import type { Verdict, VerdictCounts } from "#shared/job/verdict.ts";
import type { NearestValues } from "#shared/bridge/methods/snapshot.ts";
import type { CacheFindings } from "#shared/series/damage.ts";
import type { CacheStatistics, StationSize } from "#shared/series/cacheStatistics.ts";
import type {
  DecimatedSeries,
  AnomalyCounts,
  ArrivedRows,
  Coverage,
  SeriesMode,
  SeriesRows,
  SeriesSelection,
} from "#shared/series/rows.ts";
import type { Catalogue, CatalogueStation, Network } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { SatelliteBlock } from "#shared/series/satelliteBlock.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** How work that takes a while tells how far it is, and learns that it shall stop. */
export interface WorkPace {
  /** Share, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** What an answer is an answer to. `range` is the asked range, aligned outward to whole intervals. */
export interface AnswerScope extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** How much of an answer is settled: per station, moments before `finalUntilMs` are final, the rest is provisional. */
export interface AnswerFinality {
  readonly fetchedAtMs: UtcMs;
  finalUntilMs(stationId: string): UtcMs;
  /**
   * Stations of which the answer leaves open what the service has: their rows are laid over what is there, nothing is
   * removed, and nothing counts as asked.
   */
  isDoubtful?(stationId: string): boolean;
  /** Stations of which the answer is silent where the cache has values: nothing of theirs is removed for that. */
  keepsRows?(stationId: string): boolean;
  /** What counts as asked of one variable, within the range of the answer, where it is not what `finalUntilMs` says. */
  coverage?(stationId: string, variable: Variable): Coverage | null;
}

/** What one asked station has in an answer. */
export interface StationContents {
  readonly stationId: string;
  readonly rows: number;
  /** Rows of it that were left out: outside of the range (a little beyond its ends does not count), off the grid. */
  readonly outside: number;
  readonly offGrid: number;
  /** Variables of which any row has a value; an empty text is none. */
  readonly valued: ReadonlySet<Variable>;
  /** Times of its rows, ascending; decoded each time it is asked. */
  timesMs(): Float64Array;
}

/** What an answer has, before it is committed. */
export interface AnswerContents {
  readonly stations: readonly StationContents[];
  /** Rows of none of the asked stations. */
  readonly foreignRows: number;
}

export interface AnswerReport {
  readonly rows: number;
  readonly bytesWritten: number;
  readonly anomalies: AnomalyCounts;
}

/**
 * Takes the rows of one response and commits them together with their extents in one transaction. Rows of the scope
 * that the response does not hold are removed (they were deleted or revised at the service); rows outside the scope are
 * counted and dropped. Memory stays flat: finished buckets are kept encoded until the commit.
 */
export interface AnswerWriter {
  add(block: ArrivedRows): void;
  /** What has arrived; nothing more may be added afterwards. */
  contents(): AnswerContents;
  commit(finality: AnswerFinality): AnswerReport;
  abandon(): void;
}

export interface BlockCount {
  readonly range: TimeRange;
  readonly rows: number;
}

/** Moments at which values of many stations are looked for. */
export interface MomentSelection extends SeriesMode {
  readonly stationIds: readonly string[];
  /** Scalar ones. */
  readonly variables: readonly Variable[];
  /** Ascending. */
  readonly momentsMs: readonly UtcMs[];
  /** As far from a moment as a value may be, included. */
  readonly withinMs: number;
}

/** What is known of one series at one moment. */
export interface CountedSeries {
  readonly coverage: Coverage;
  /** Rows with a value, for each bin that the range touches; bins are counted from the epoch. */
  readonly values: Uint32Array;
}

export type Coverages = Partial<Record<Variable, Coverage>>;

/** The part of a cache that never writes. */
export interface CacheReader {
  catalogue(): Catalogue;
  /** One station of the catalogue; null where it is not in it. */
  station(id: string): CatalogueStation | null;
  coverage(stationId: string, variable: Variable, mode: SeriesMode): Coverage;
  /** Rows in time order, blocks of one or some stored buckets, cut to the range; rows that none of the variables has are dropped. */
  blocks(selection: SeriesSelection): IterableIterator<SeriesRows>;
  /** The same in arrays that are used again: each block is good until the next one is asked for, here or after the last. */
  passing(selection: SeriesSelection): IterableIterator<SeriesRows>;
  /** What `blocks` gives, for satellite variables alone: as numbers where they are stored so. */
  satellites(selection: SeriesSelection): IterableIterator<SatelliteBlock>;
  /** All blocks joined. @param isUse whether the station counts as used by it */
  rows(selection: SeriesSelection, isUse?: boolean): SeriesRows;
  /**
   * Only the times of the rows that `blocks` gives, block by block: most of them without decoding a value.
   */
  times(selection: SeriesSelection): IterableIterator<Runs>;
  /** Times of the rows in which the selection's one variable has a value; quick when asked again, where they are kept. */
  valueTimes(selection: SeriesSelection, isKept?: boolean): Runs;
  /**
   * The coverage of the selection's one variable, and how many of its values lie in each bin of `binMs`; where bins are
   * whole buckets, without decoding more than those at the ends of the range.
   */
  counted(selection: SeriesSelection, binMs: number): CountedSeries;
  /** How many values the selection's one scalar variable has, without decoding more than the buckets at the ends of the range. */
  countValues(selection: SeriesSelection): number;
  /**
   * How many rows `rows` would give, without decoding more than the buckets at the ends of the range. Where there are
   * more than `enough`, any number above it.
   */
  countRows(selection: SeriesSelection, enough?: number): number;
  /** The row nearest to `timeMs` within the window for which any variable has a value; the earlier one of two; null where none. */
  nearest(selection: Omit<SeriesSelection, "range">, timeMs: UtcMs, window: TimeRange): SeriesRows | null;
  /** Of each variable by itself what `nearest` finds, for many stations and moments at once. */
  nearestEach(selection: MomentSelection): Partial<Record<Variable, NearestValues>>;
  /** The same block by block, so that a row can be found by its number; the ranges are in order and hold all rows. */
  countBlocks(selection: SeriesSelection): readonly BlockCount[];
  /** The scalar variables of the selection in equal columns of time: see `DecimatedSeries`; `isUse` as for `rows`. */
  decimate(selection: SeriesSelection, columns: number, isUse?: boolean): Partial<Record<Variable, DecimatedSeries>>;
  /** What is covered in the range, of every station of which anything is covered in the mode, by station and variable. */
  coverages(mode: SeriesMode, variables: readonly Variable[], range: TimeRange): ReadonlyMap<string, Coverages>;
  /** Of some stations, all of it, for each of the variables: as it is at one moment. */
  coveragesOf(stationIds: readonly string[], variables: readonly Variable[], mode: SeriesMode): readonly Coverage[][];
  /** A small value kept beside the data, for example the learned limits; null where it was never set. */
  setting(name: string): string | null;
  statistics(): CacheStatistics;
  /** What each station takes; those without data are among them only where they are pinned. */
  sizes(): StationSize[];
  /** Bytes of the file that are in use: what was freed, and not given back to the disk yet, is left out. */
  usedBytes(): number;
}

/** What is to be removed from a cache. */
export interface Forgetting {
  /** null: all. */
  readonly stationIds: readonly string[] | null;
  /** null: all. An interval that is touched goes as a whole: the rest of it would be no mean of anything. */
  readonly range: TimeRange | null;
  /** null: all. */
  readonly variables: readonly Variable[] | null;
}

/** A cache: one file per connection, replaceable. Single writer. */
export interface Cache extends CacheReader {
  readonly path: string;
  /** Where the user knows it to be: of a copy, the file that was copied. */
  readonly shownPath: string;
  /** Told when opening had to put a damaged file aside: where it lies now. */
  readonly quarantined: string | null;
  /**
   * The end of the check that follows a kill, which goes on in a thread while the cache is used: what is wrong, null where
   * nothing is, or where there was nothing to check. Never rejected.
   */
  readonly checkedAfterKill: Promise<string | null>;
  /** Ends a check that is under way, since the cache is about to be closed: who closes the file last tidies up its logs. */
  endChecks(): Promise<void>;
  /**
   * Keeps all other processes out of the file while `work` runs.
   *
   * @param purpose completes the sentence of the error, for example "move the cache"
   * @throws StoreError `busy`, which names the processes that have the file open, before `work` begins
   */
  exclusively<T>(purpose: string, work: () => Promise<T>): Promise<T>;
  /** Whether the file that is open is still the one at its path. What is written throws where it is not. */
  isInPlace(): boolean;
  replaceCatalogue(stations: readonly CatalogueStation[], networks: readonly Network[], fetchedAtMs: UtcMs): void;
  openAnswer(scope: AnswerScope): AnswerWriter;
  /**
   * What is provisional in these cells counts as not asked any more: they were asked again, in vain. Rows and what is final
   * stay as they are.
   */
  leaveOpen(cells: readonly AnswerScope[]): void;
  setSetting(name: string, value: string | null): void;
  /**
   * Forgets rows and extents of the stations (all where null) in the range (all where null), of the variables (all where
   * null); returns rows that are gone or lost one of them.
   *
   * @throws StoreError `busy` where another process has the file open: it may be fetching, or writing a file from it
   */
  forget(stationIds: readonly string[] | null, range: TimeRange | null, variables?: readonly Variable[] | null): number;
  /**
   * The same bit by bit, so that others have their turn; what was forgotten when it is stopped, or the program ends, stays
   * forgotten, rows and extents together.
   *
   * @param onProgress share of the chunks, 0 to 1
   * @returns rows that are gone or lost one of the variables
   * @throws StoreError as `forget`
   */
  forgetPolitely(forgetting: Forgetting, onProgress: (share: number) => void, signal: AbortSignal): Promise<number>;
  /** Pinned stations are left alone when room is made. */
  pin(stationIds: readonly string[], isPinned: boolean): void;
  /**
   * Reads everything as it is now and checks it, in a thread. Changes nothing. A file whose structure is broken is put aside
   * at its next opening.
   *
   * @throws the signal's reason once it has stopped for it
   */
  check(pace: WorkPace): Promise<CacheFindings>;
  /**
   * Leaves out what is damaged, with its coverage, so that it is asked again; all else is kept, and served meanwhile.
   * What only a new file can mend is told as `structure`.
   *
   * @throws StoreError, and the signal's reason once it has stopped for it: what was repaired by then stays so
   */
  repair(pace: WorkPace): Promise<CacheFindings>;
  /**
   * Gives freed pages back to the disk, in a thread. Everything is read as before meanwhile; what would be written is
   * refused with `busy`.
   *
   * @throws StoreError where there is no room for it, or another process has the file open; the signal's reason once it has stopped
   *   for it. The file is as it was then.
   */
  compact(pace: WorkPace): Promise<void>;
  /**
   * Copies the file while it is in use, and checks the whole copy.
   *
   * @param target a path where nothing is yet
   * @param onProgress share of the pages copied, 0 to 1
   * @throws StoreError where it cannot be copied, or another program writes to the file; nothing is left of the copy then
   */
  copyTo(target: string, onProgress: (share: number) => void): Promise<void>;
  close(): void;
}

/** A service that the user connected to. Its key is kept elsewhere, by the operating system. */
export interface ConnectionRecord {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly createdAtMs: UtcMs;
  /** Its cache, in the data folder or, where it was moved, with its whole path; no two connections share one. */
  readonly cacheFile: string;
  /** `demo` is the embedded reference service; the cache of a `file` came from somebody else, and there is no key. */
  readonly kind: "service" | "demo" | "file";
  /** Why it cannot be used, in a sentence, where what is kept of it is damaged. */
  readonly damage?: string;
}

/** A download job as it outlives the program, without its verdicts. */
export interface JobRecord {
  readonly id: string;
  readonly connectionId: string;
  readonly spec: JobSpec;
  /** A word of `JobViewState`; one that was `running` when the program ended goes on by itself. */
  readonly state: string;
  /** A sentence for the user where the state needs one. */
  readonly reason: string | null;
  readonly createdAtMs: UtcMs;
  readonly updatedAtMs: UtcMs;
  /** null while there is none. */
  readonly counters: JobProgress | null;
  readonly verdictCounts: VerdictCounts | null;
  readonly keepUp: boolean;
  /** When a job that keeps up asks again; local wall clock. */
  readonly nextRunMs: UtcMs | null;
  /** Why it cannot be run, in a sentence, where what is kept of it is damaged: it can only be deleted. */
  readonly damage?: string;
}

/** A view that the user gave a name; `content` is JSON. */
export interface ViewRecord {
  readonly name: string;
  readonly content: string;
}

/** An export that the user gave a name; `content` is JSON. */
export interface SavedExportRecord {
  readonly name: string;
  readonly connectionId: string;
  readonly content: string;
}

/** A schedule; `content` is JSON, and planned times up to `handledMs` are done with. */
export interface ScheduleRecord {
  readonly id: string;
  readonly connectionId: string;
  readonly name: string;
  readonly content: string;
  readonly handledMs: UtcMs;
}

/** A run of a schedule; `content` is JSON. */
export interface ScheduleRunRecord {
  readonly id: string;
  readonly scheduleId: string;
  readonly startedMs: UtcMs;
  readonly content: string;
}

/** What is precious: connections, jobs, saved views, saved exports, schedules and settings. Every function throws `StoreError`. */
export interface UserStore {
  readonly path: string;
  /** Oldest first, as are jobs. */
  connections(): readonly ConnectionRecord[];
  /** Under which addresses the backups know a connection, each once. */
  backedUpAddresses(connectionId: string): readonly string[];
  putConnection(connection: ConnectionRecord): void;
  /** Its jobs and saved exports go with it; its cache file is the caller's to delete. */
  deleteConnection(id: string): void;
  jobs(): readonly JobRecord[];
  job(id: string): JobRecord | null;
  /** Verdicts are replaced where they are given, in one step with the job. */
  putJob(job: JobRecord, verdicts?: readonly Verdict[]): void;
  /** null before the job's first end, and where they are damaged. */
  verdicts(jobId: string): readonly Verdict[] | null;
  deleteJob(id: string): void;
  /** By name. */
  views(): readonly ViewRecord[];
  putView(view: ViewRecord): void;
  deleteView(name: string): void;
  /** By name. */
  savedExports(): readonly SavedExportRecord[];
  putSavedExport(saved: SavedExportRecord): void;
  /** Puts it under its name and takes the one of the earlier name away, in one step. */
  renameSavedExport(from: string, saved: SavedExportRecord): void;
  deleteSavedExport(name: string): void;
  /** By name. */
  schedules(): readonly ScheduleRecord[];
  putSchedule(schedule: ScheduleRecord): void;
  /** Takes its runs along. */
  deleteSchedule(id: string): void;
  /** Newest first. */
  scheduleRuns(scheduleId: string): readonly ScheduleRunRecord[];
  /**
   * Keeps a run, and only so many of its schedule.
   *
   * @param handledMs moves the schedule on, in the same step
   */
  putScheduleRun(run: ScheduleRunRecord, most: number, handledMs?: UtcMs): void;
  /** A value of the whole application; null where it was never set. */
  setting(name: string): string | null;
  putSetting(name: string, value: string | null): void;
  close(): void;
}
