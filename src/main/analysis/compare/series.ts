/** Values of one station in order of time, none of them missing. */
export interface ComparedSeries {
  readonly stationId: string;
  /** Milliseconds between two values where none is missing. */
  readonly stepMs: number;
  /** Strictly ascending. */
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** Marks of each value as bits, 0 where it has none; null where nothing is marked. */
  readonly flags: Uint8Array | null;
}

/** Rows of two series at the epochs that both have. */
export interface Joined {
  readonly timesMs: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Common epochs that are left out because of a mark. */
  readonly rejected: number;
}
