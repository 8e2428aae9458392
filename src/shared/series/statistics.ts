/** Figures of one variable in a range, in its own unit; NaN where there are too few values. */
export interface Statistics {
  /** Rows with a value. */
  readonly n: number;
  readonly mean: number;
  /** Standard deviation of a sample (n - 1). */
  readonly std: number;
  readonly min: number;
  readonly max: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  /** Epochs of the range, and the share of them that has a value: 0 to 1. */
  readonly expected: number;
  readonly completeness: number;
}
