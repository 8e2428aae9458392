import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";
import type { Variable } from "../service/variables.ts";

/** Raw and filtered, native (null) and averaged are different modes; their rows never mix. */
export interface SeriesMode {
  /** null is every observation. */
  readonly intervalSeconds: number | null;
  readonly raw: boolean;
}

/**
 * One number per row; NaN where the row has no value. `present` tells for each row (1 or 0) whether this variable was
 * part of the answer that brought the row, null where it was in all of them: only variables that were asked at
 * different times differ here, and a reader that joins columns drops rows that none of its variables has.
 */
export interface ScalarColumn {
  readonly kind: "scalar";
  readonly values: Float64Array;
  readonly present: Uint8Array | null;
}

/** One text per row, to the character as it came; null where the row has no value. */
export interface TextColumn {
  readonly kind: "text";
  readonly values: readonly (string | null)[];
  readonly present: Uint8Array | null;
}

export type Column = ScalarColumn | TextColumn;

/** Rows of one station in one mode: times strictly ascending, and every column as long as the times. */
export interface SeriesRows {
  readonly timesMs: Float64Array;
  readonly columns: Partial<Record<Variable, Column>>;
}

/** Rows of one station as they came off the wire: in order of arrival, unchecked against range, order and duplicates. */
export interface ArrivedRows {
  readonly stationId: string;
  readonly timesMs: Float64Array;
  /** NaN: no value. As long as `timesMs`. */
  readonly scalars: Partial<Record<Variable, Float64Array>>;
  /** null: no value. As long as `timesMs`. */
  readonly texts: Partial<Record<Variable, (string | null)[]>>;
}

/** Asked-for rows of one station, as every reader of the cache names them. */
export interface SeriesSelection extends SeriesMode {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** Things that were odd in an answer and survived; each is counted and reported, none is silent. */
export const ANOMALIES = {
  outOfRange: "rows outside the requested range, left out",
  foreignStation: "rows of stations that were not requested, ignored",
  conflict: "conflicting duplicate values; the last one is kept",
  unsorted: "rows out of time order, put in order",
  offGrid: "rows whose time is not the start of an interval (ignored)",
  unreadableTime: "rows without a readable time, left out",
  unreadableValue: "invalid numbers (left empty)",
  convertedValue: "numbers written as text or texts written otherwise, converted",
  countDisagrees: "answers whose count differs from their number of rows",
} as const;

export type Anomaly = keyof typeof ANOMALIES;
export type AnomalyCounts = Partial<Record<Anomaly, number>>;

export function addAnomaly(counts: AnomalyCounts, kind: Anomaly, n = 1): void {
  if (n > 0) counts[kind] = (counts[kind] ?? 0) + n;
}

/** A moment range with when it was asked: what the cache knows of a series (see Extent in the architecture). */
export interface ProvisionalExtent {
  readonly range: TimeRange;
  readonly fetchedAtMs: UtcMs;
}

/** What was asked and answered for one series. Final and provisional ranges never overlap. */
export interface Coverage {
  readonly final: readonly TimeRange[];
  readonly provisional: readonly ProvisionalExtent[];
}

/** One variable in equal columns of time: arrays as long as there are columns, NaN where a column has no value. */
export interface VariableColumns {
  readonly count: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
}

export interface DecimatedSeries extends VariableColumns {
  readonly range: TimeRange;
  /** True where it was read from the pyramid (blocks of 64 rows, single precision rounded outward), false where from all rows. */
  readonly approximate: boolean;
}
