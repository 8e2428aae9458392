import { count } from "../text.ts";
import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";
import type { Variable } from "../service/variables.ts";

/** Mode of a series: raw or filtered, native or averaged. Rows of different modes are never mixed. */
export interface SeriesMode {
  /** null: every observation. */
  readonly intervalSeconds: number | null;
  readonly raw: boolean;
}

/**
 * One number per row; NaN: no value. `present` says for each row (1 or 0) whether this variable was part of the response
 * with the row, null if it always was: variables requested at different times may differ. A reader that joins columns
 * leaves out rows in which none of its variables is present.
 */
export interface ScalarColumn {
  readonly kind: "scalar";
  readonly values: Float64Array;
  readonly present: Uint8Array | null;
}

/** One text per row, exactly as received; null: no value. */
export interface TextColumn {
  readonly kind: "text";
  readonly values: readonly (string | null)[];
  readonly present: Uint8Array | null;
}

export type Column = ScalarColumn | TextColumn;

/** Whether a column has a value in a row. An empty text is none, as in the coverage of the cache. */
export function hasValue(column: Column, row: number): boolean {
  return column.kind === "scalar" ? !Number.isNaN(column.values[row]) : Boolean(column.values[row]);
}

/** Rows of one station in one mode: strictly ascending times, and columns parallel to them. */
export interface SeriesRows {
  readonly timesMs: Float64Array;
  readonly columns: Partial<Record<Variable, Column>>;
}

/** Returns the values of a scalar variable; NaN for rows without it. */
export function numbersOf({ timesMs, columns }: SeriesRows, variable: Variable): Float64Array {
  const column = columns[variable];
  return column?.kind === "scalar" ? column.values : new Float64Array(timesMs.length).fill(Number.NaN);
}

/** Rows of one station in the order of the response, not yet checked for range, order and duplicates. */
export interface ReceivedRows {
  readonly stationId: string;
  readonly timesMs: Float64Array;
  /** NaN: no value. Parallel to `timesMs`. */
  readonly scalars: Partial<Record<Variable, Float64Array>>;
  /** null: no value. Parallel to `timesMs`. */
  readonly texts: Partial<Record<Variable, (string | null)[]>>;
}

/** Selects rows of one station in the cache. */
export interface SeriesSelection extends SeriesMode {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** Tolerated irregularities of responses, which are counted and reported. */
export const IRREGULARITIES = {
  outOfRange: "rows outside the requested range, left out",
  foreignStation: "rows of stations that were not requested, or with the name of another one, left out",
  conflict: "conflicting duplicate values; the last one is kept",
  unsorted: "rows out of time order, put in order",
  offGrid: "rows whose time is not the start of an interval (ignored)",
  unreadableTime: "rows without a readable time, left out",
  unreadableValue: "invalid numbers (left empty)",
  convertedValue: "numbers written as text or texts written otherwise, converted",
  implausible: "values outside the plausible range of their variable, stored as sent",
  countDisagrees: "answers whose count differs from their number of rows",
  reportedError: "answers with an error beside their rows, which confirm no gap",
  olderCopy: "answers that a proxy had kept, which confirm no gap",
} as const;

export type Irregularity = keyof typeof IRREGULARITIES;
export type IrregularityCounts = Partial<Record<Irregularity, number>>;

export function addIrregularity(counts: IrregularityCounts, kind: Irregularity, n = 1): void {
  if (n > 0) counts[kind] = (counts[kind] ?? 0) + n;
}

/** Returns the counts of several responses or runs added up. */
export function sumIrregularities(all: readonly IrregularityCounts[]): IrregularityCounts {
  const sum: IrregularityCounts = {};
  for (const counts of all)
    for (const [kind, n] of Object.entries(counts)) addIrregularity(sum, kind as Irregularity, n);
  return sum;
}

/** `3 × rows out of time order, put in order`. */
export function irregularityLines(counts: IrregularityCounts): string[] {
  return Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${count(n)} × ${IRREGULARITIES[kind as Irregularity]}`);
}

/** A provisional extent with the time of its request (*extent* in the glossary). */
export interface ProvisionalExtent {
  readonly range: TimeRange;
  readonly fetchedAtMs: UtcMs;
}

/** Requested and answered ranges of one series. Final and provisional ranges never overlap. */
export interface Coverage {
  readonly final: readonly TimeRange[];
  readonly provisional: readonly ProvisionalExtent[];
}

/** Summary of one variable in equal columns of time: an entry per column; NaN: no value. */
export interface VariableColumns {
  readonly count: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
}

/** Summary of one variable in one column of time. */
interface ColumnSummary {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** @param column from 0 to the number of columns, exclusive */
export function columnAt({ count, min, max, mean }: VariableColumns, column: number): ColumnSummary {
  return { count: count[column]!, min: min[column]!, max: max[column]!, mean: mean[column]! };
}

export interface DecimatedSeries extends VariableColumns {
  readonly range: TimeRange;
  /** True if read from the pyramid (blocks of 64 rows, single precision rounded outward), false if computed from all rows. */
  readonly approximate: boolean;
}
