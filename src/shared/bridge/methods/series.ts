import { z } from "zod";
import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { VariableColumns } from "#shared/series/rows.ts";
import type { Statistics } from "#shared/series/statistics.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, fewStationIds, mode, moment, range, readMode, stationId, variables } from "./schemas.ts";

/** Ranges in which the filtered series is final: rows that only the raw series has there were rejected. */
export type Judged = Partial<Record<Variable, RangeSet>>;

/**
 * Data of one station for a plot: all rows of the range if they are few (`rows`), else a summary in equal columns
 * (`columns`).
 */
export type SeriesWindow =
  | {
      readonly kind: "rows";
      readonly stationId: string;
      readonly range: TimeRange;
      /** Strictly ascending, UTC milliseconds. */
      readonly timesMs: Float64Array;
      /** Parallel to `timesMs`, in the unit of the variable; NaN: no value. */
      readonly values: Partial<Record<Variable, Float64Array>>;
      /** Present if requested with `rejected`. */
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
  /** Number of rows in the whole range. */
  readonly total: number;
  readonly offset: number;
  readonly timesMs: Float64Array;
  /** Scalars as numbers (NaN: no value), per-satellite texts unchanged. */
  readonly columns: Partial<Record<Variable, Float64Array | readonly (string | null)[]>>;
}

/** Rows of several stations joined by epoch. */
export interface JoinedPage {
  /** Number of epochs in the whole range, with one for each gap between rows. */
  readonly total: number;
  /** Number of epochs with a row. */
  readonly rows: number;
  readonly offset: number;
  readonly timesMs: Float64Array;
  /** For the first missing epoch of a gap, the time of the next row, or the end of the range; NaN for a row. */
  readonly gapEndsMs: Float64Array;
  /** In the order of the requested stations; NaN or null if a station has no value at the epoch. */
  readonly stations: readonly RowPage["columns"][];
}

/** Maximum number of stations joined by epoch. */
export const MAX_JOINED_STATIONS = 20;
/** Maximum number of sorted or filtered rows, which are kept in memory as one number each. */
export const MAX_ORDERED_ROWS = 2_000_000;

export interface SeriesGaps {
  readonly stationId: string;
  readonly variable: Variable;
  /** Seconds between two consecutive values: a longer distance is a gap. */
  readonly stepSeconds: number;
  /** In time order, without those shorter than the requested minimum. */
  readonly gaps: readonly Gap[];
  /** Of all gaps, however short. */
  readonly secondsByCause: Partial<Record<GapCause, number>>;
  /** Gaps were searched up to here: the end of the range, or the service's present time if that is earlier. */
  readonly untilMs: UtcMs;
}

export interface SeriesStatistics {
  readonly stationId: string;
  readonly variable: Variable;
  readonly statistics: Statistics;
}

const selection = { connectionId, stationIds: fewStationIds, variables, range, mode: readMode };

const joined = { ...selection, stationIds: z.array(stationId).min(1).max(MAX_JOINED_STATIONS).readonly() };
const seriesName = z.object({ stationId, variable: variableSchema });
export type SeriesName = z.output<typeof seriesName>;

/** Rows in which one series, or every series (null), has a value within the bounds. */
const filter = z.object({ of: seriesName.nullable(), atLeast: z.number().nullable(), atMost: z.number().nullable() });
/** By the values of a series, rows without a value last; null: by time. */
const sort = z.object({ by: seriesName.nullable(), isDescending: z.boolean() });
export type RowFilter = z.output<typeof filter>;
export type RowSort = z.output<typeof sort>;

/** Cached rows for plots and tables. Sends nothing. Faults of all: usage, disk. */
export const series = {
  /**
   * Scalar variables of some stations over a range, ready to draw: all rows of a station if the range has at most
   * `mostRows`, else min, max, mean and count in `columns` equal columns. With `rejected`, rejected data: rows of the cached
   * raw series that the filtered one lacks, regardless of `mode.raw`.
   */
  window: method<SeriesWindow[]>()(
    z.object({
      ...selection,
      columns: z.number().int().min(1).max(100_000),
      mostRows: z.number().int().min(0).max(5_000_000),
      rejected: z.boolean().optional(),
      /** Prefetch: the stations do not count as used. */
      ahead: z.boolean().optional(),
    }),
  ),
  /** Gaps of every station and variable, with causes; those shorter than `minimumMs` only count in the sums. */
  gaps: method<SeriesGaps[]>()(z.object({ ...selection, minimumMs: z.number().min(0) })),
  /** Statistics of the values in the range. */
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
  /** A page of rows of several stations, joined by epoch, and of the gaps between them, in time order. */
  joined: method<JoinedPage>()(
    z.object({ ...joined, offset: z.number().int().min(0), limit: z.number().int().min(1).max(10_000) }),
  ),
  /** Joined rows at these epochs, in their order; `total` and `offset` have no meaning here. */
  joinedAt: method<JoinedPage>()(z.object({ ...joined, timesMs: z.array(moment).max(10_000).readonly() })),
  /** Sorted epochs of the rows that pass the filter: at most `MAX_ORDERED_ROWS`, else a usage fault. */
  rowOrder: method<Float64Array>()(z.object({ ...joined, sort, filter: filter.nullable() })),
};

/** Satellites over time: epoch i has the entries from `offsets[i]` up to `offsets[i + 1]`. */
export interface SatelliteEpochs {
  readonly timesMs: Float64Array;
  /** One longer than `timesMs`. */
  readonly offsets: Uint32Array;
  /** Distinct identifiers: "G01". */
  readonly prns: readonly string[];
  /** Index into `prns` for each entry. */
  readonly prn: Uint16Array;
  /** Degrees for each entry; NaN: no value. */
  readonly elevationDeg: Float64Array;
  /** Degrees clockwise from north for each entry; NaN: no value. */
  readonly azimuthDeg: Float64Array;
  /** C/N0 in dB-Hz, one array per signal band. */
  readonly bands: readonly { readonly name: string; readonly cn0DbHz: Float64Array }[];
  /** Descriptions of unreadable entries, with their number. */
  readonly problems: readonly { readonly problem: string; readonly count: number }[];
}

/** Cached satellite tracking data. Sends nothing. */
export const satellites = {
  /** All satellites of one station in a range of at most 31 days. Faults: usage, disk. */
  read: method<SatelliteEpochs>()(z.object({ connectionId, stationId, range, mode })),
};
