/** Rows that are worked on at once: as many as stay in the processor's nearest memory. */
export const PIECE = 2_048;

/**
 * Long work in pieces. A loop over a year, run once, is compiled while it runs and again the next time; a function that
 * is called for every piece is compiled once and stays so.
 */
export function inPieces(n: number, work: (from: number, to: number) => void): void {
  for (let from = 0; from < n; from += PIECE) work(from, Math.min(n, from + PIECE));
}

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

/**
 * Rows of two series at the epochs that both have. As stretches, not as rows: of two stations at the same pace whole days
 * lie beside each other, and years of them are not copied to be compared.
 */
export interface Joined {
  /** Of each stretch its first row of A, its first row of B, and how many rows follow each other in both. */
  readonly stretches: Int32Array;
  /** Common epochs that count. */
  readonly n: number;
  /** Common epochs that are left out because of a mark. */
  readonly rejected: number;
  /** Whose times are those of the common epochs. */
  readonly epochsOf: "a" | "b";
}
