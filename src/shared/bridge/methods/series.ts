import { z } from "zod";
import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import type { Statistics } from "#shared/series/statistics.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { variableSchema } from "#shared/service/query.ts";
import { connectionId, fewStationIds, moment, range, readMode, stationId, variables } from "./words.ts";

/** Where the filtered series is final: what lies behind it there was filtered out. */
export type Judged = Partial<Record<Variable, RangeSet>>;

/**
 * What a plot draws of one station. `rows` are all rows of the range, where they are few enough; `columns` stand for
 * them where they are many.
 */
export type SeriesWindow =
  | {
      readonly kind: "rows";
      readonly stationId: string;
      readonly range: TimeRange;
      /** Strictly ascending, UTC milliseconds. */
      readonly timesMs: Float64Array;
      /** As long as `timesMs`, in the unit of the variable; NaN where a row has no value. */
      readonly values: Partial<Record<Variable, Float64Array>>;
      /** Of a window that was asked with `behind`. */
      readonly judged?: Judged;
    }
  | {
      readonly kind: "columns";
      readonly stationId: string;
      readonly range: TimeRange;
      readonly columns: number;
      readonly variables: Partial<Record<Variable, VariableColumns>>;
      readonly judged?: Judged;
    };

/** Rows of a table, in time order. */
export interface RowPage {
  /** Rows of the whole range. */
  readonly total: number;
  readonly offset: number;
  readonly timesMs: Float64Array;
  /** Scalars as numbers (NaN: no value), per-satellite texts to the character. */
  readonly columns: Partial<Record<Variable, Float64Array | readonly (string | null)[]>>;
}

/** Rows of several stations joined by epoch. */
export interface JoinedPage {
  /** Epochs of the whole range. */
  readonly total: number;
  readonly offset: number;
  readonly timesMs: Float64Array;
  /** In the order of the asked stations; NaN or null where a station has no value at the epoch. */
  readonly stations: readonly RowPage["columns"][];
}

/** Stations that are joined by epoch at a time. */
export const MOST_JOINED = 20;
/** Rows that are put in order or filtered: each is held as one number. */
export const MOST_ORDERED = 2_000_000;

export interface SeriesGaps {
  readonly stationId: string;
  readonly variable: Variable;
  /** Seconds between two values where none is missing: a longer distance is a gap. */
  readonly stepSeconds: number;
  /** In order of time, those shorter than asked left out. */
  readonly gaps: readonly Gap[];
  /** Of all gaps, however short. */
  readonly secondsByCause: Partial<Record<GapCause, number>>;
  /** Gaps were looked for up to here: the end of the range, or the service's now where that is earlier. */
  readonly untilMs: UtcMs;
}

export interface SeriesStatistics {
  readonly stationId: string;
  readonly variable: Variable;
  readonly statistics: Statistics;
}

const selection = { connectionId, stationIds: fewStationIds, variables, range, mode: readMode };

const joined = { ...selection, stationIds: z.array(stationId).min(1).max(MOST_JOINED).readonly() };
const seriesName = z.object({ stationId, variable: variableSchema });
export type SeriesName = z.output<typeof seriesName>;

/** Rows with a value of one series, or of all (null), none of them outside of the bounds. */
const filter = z.object({ of: seriesName.nullable(), atLeast: z.number().nullable(), atMost: z.number().nullable() });
/** By the values of a series, rows without one last; by time where null. */
const sort = z.object({ by: seriesName.nullable(), isDescending: z.boolean() });
export type RowFilter = z.output<typeof filter>;
export type RowSort = z.output<typeof sort>;

/** Rows of the cache, for plots and tables. Nothing here sends anything. Faults of all: usage, disk. */
export const series = {
  /**
   * Scalar variables of some stations over a range, ready to draw: all rows of a station where the range holds at most
   * `mostRows` of them, else min, max, mean and count in `columns` equal columns. With `behind`, of the cached raw
   * series what the filtered one does not have, whatever `mode.raw` says: what the quality filter took away.
   */
  window: method<SeriesWindow[]>()(
    z.object({
      ...selection,
      columns: z.number().int().min(1).max(100_000),
      mostRows: z.number().int().min(0).max(5_000_000),
      behind: z.boolean().optional(),
      /** No one looks at it yet: the stations do not count as used. */
      ahead: z.boolean().optional(),
    }),
  ),
  /** Why values are absent, for every station and variable; gaps shorter than `minimumMs` are only summed. */
  gaps: method<SeriesGaps[]>()(z.object({ ...selection, minimumMs: z.number().min(0) })),
  /** Figures of the values in the range. */
  statistics: method<SeriesStatistics[]>()(z.object(selection)),
  /** A page of rows of one station. */
  page: method<RowPage>()(
    z.object({
      connectionId,
      stationId,
      variables,
      range,
      mode: readMode,
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(10_000),
    }),
  ),
  /** A page of rows of several stations, joined by epoch, in order of time. */
  joined: method<JoinedPage>()(
    z.object({ ...joined, offset: z.number().int().min(0), limit: z.number().int().min(1).max(10_000) }),
  ),
  /** The same at these epochs, in their order; `total` and `offset` say nothing here. */
  joinedAt: method<JoinedPage>()(z.object({ ...joined, timesMs: z.array(moment).max(10_000).readonly() })),
  /** Epochs of the rows that pass the filter, in the order asked: at most `MOST_ORDERED`, else a usage fault. */
  rowOrder: method<Float64Array>()(z.object({ ...joined, sort, filter: filter.nullable() })),
};
