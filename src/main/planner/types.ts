import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** The missing data of one station. `epochSeconds` is that of the size rule: `epochSeconds()` of shared/service/points. */
export interface PlanStation {
  readonly id: string;
  readonly epochSeconds: number;
  /** Per variable, from `openRanges`; a variable that lacks nothing may be absent. */
  readonly missing: Partial<Record<Variable, RangeSet>>;
  /** The same for absences that have to be confirmed. */
  readonly unconfirmed?: Partial<Record<Variable, RangeSet>>;
}

export interface PlanInput {
  readonly stations: readonly PlanStation[];
  readonly mode: SeriesMode;
  /** The points that one request may have; called for every request, because it may change while a job runs. */
  readonly maxPoints: () => number;
  /** Whether ranges that are apart may share a request, too: absences have no rows, so that asking beside them costs little. */
  readonly joinsApart?: boolean;
}

/** One request to POST /measurements/query. Times are half-open; `points` is its size by section 8. */
export interface PlannedRequest extends SeriesMode {
  readonly stationIds: readonly string[];
  /** In the order of the variable table, with `prn` if a satellite variable implies it. */
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly points: number;
}

/** Seconds between the observations of a station, for the size rule. */
export type EpochSecondsLookup = (stationId: string) => number;

/** Stations that lack the same variables in the same range, or nearly so, and have the same number of points in it. */
export interface Group {
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
  readonly epochSeconds: number;
  readonly stationIds: string[];
}
