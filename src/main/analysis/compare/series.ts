/** Rows per batch: as many as fit into the processor's first-level cache. */
export const BATCH_ROWS = 2_048;

/** A half-open range of rows. */
export interface Batch {
  readonly from: number;
  readonly to: number;
}

/**
 * Runs long work in batches. A loop over a year, run once, is compiled while it runs and again the next time; a function
 * that is called for every batch is compiled once.
 */
export function inBatches(n: number, work: (batch: Batch) => void): void {
  for (let from = 0; from < n; from += BATCH_ROWS) work({ from, to: Math.min(n, from + BATCH_ROWS) });
}

/** Values of one station in order of time, without missing ones. */
export interface ComparedSeries {
  readonly stationId: string;
  /** Milliseconds between two values without a gap. */
  readonly stepMs: number;
  /** Strictly ascending. */
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** Marks of each value as bits, 0 if it has none; null if nothing is marked. */
  readonly flags: Uint8Array | null;
}

/**
 * Rows of two series at common epochs. As stretches, not as rows: two stations with the same cadence have whole days in
 * common, and years of them need not be copied for a comparison.
 */
export interface Joined {
  /** For each stretch its first row of A, its first row of B, and its number of rows. */
  readonly stretches: Int32Array;
  /** Number of common epochs used. */
  readonly n: number;
  /** Number of common epochs omitted because of a mark. */
  readonly rejected: number;
  /** The series whose times are those of the common epochs. */
  readonly epochsOf: "a" | "b";
}

/** Calls `visit` with the first row of A, the first row of B, and the number of rows of each stretch. */
export function eachStretch(stretches: Int32Array, visit: (ofA: number, ofB: number, length: number) => void): void {
  for (let s = 0; s < stretches.length; s += 3) visit(stretches[s]!, stretches[s + 1]!, stretches[s + 2]!);
}

export interface Unmarked {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly sigma: Float64Array | null;
  /** Values that are omitted. */
  readonly rejected: number;
}

/** Returns a series without its marked values, if they are to be omitted. */
export function unmarked(
  series: ComparedSeries & { readonly sigma: Float64Array | null },
  omitsMarked: boolean,
): Unmarked {
  const { timesMs, values, sigma, flags } = series;
  if (!omitsMarked || flags === null) return { timesMs, values, sigma, rejected: 0 };
  const keeps = (_: number, i: number): boolean => flags[i] === 0;
  const kept = values.filter(keeps);
  return {
    timesMs: timesMs.filter(keeps),
    values: kept,
    sigma: sigma?.filter(keeps) ?? null,
    rejected: values.length - kept.length,
  };
}

/** Returns NaN without values. Two passes, so that a large offset costs no digits. */
export function meanOf(values: Float64Array): number {
  const first = values[0] ?? 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! - first;
  return values.length === 0 ? Number.NaN : first + sum / values.length;
}
