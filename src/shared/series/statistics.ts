/** Statistics of one variable in a range, in its unit; NaN if there are too few values. */
export interface Statistics {
  /** Rows with a value. */
  readonly n: number;
  readonly mean: number;
  /** Sample standard deviation (n - 1). */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  /** Number of epochs in the range, and the share of them with a value: 0 to 1. */
  readonly expected: number;
  readonly completeness: number;
}
