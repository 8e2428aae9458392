/** Statistics of the values of one variable in a range, in its unit; NaN if there are too few values. */
export interface ValueStatistics {
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
}

export interface Statistics extends ValueStatistics {
  /** Epochs, or intervals, in which the station could have observed: none before its first observation or after now. */
  readonly expected: number;
  /** The expected ones in the time that was requested and answered. */
  readonly requested: number;
}
