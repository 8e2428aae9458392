import type { TimeRange } from "../time/range.ts";

/** min, max and mean of the values in each of `count.length` equal columns of time; NaN where a column has none. */
export interface DecimatedSeries {
  readonly range: TimeRange;
  readonly count: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** True where it was read from the pyramid (blocks of 64 rows, single precision rounded outward), false where from all rows. */
  readonly approximate: boolean;
}
