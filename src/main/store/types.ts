import type { IrregularityCounts, Coverage, SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Runs } from "#shared/time/runs.ts";
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

/** The data to delete from a cache. */
export interface ForgetSelection {
  /** null: all. */
  readonly stationIds: readonly string[] | null;
  /** null: all. An interval that the range touches is deleted whole, because the rest of it would be no valid mean. */
  readonly range: TimeRange | null;
  /** null: all. */
  readonly variables: readonly Variable[] | null;
}
