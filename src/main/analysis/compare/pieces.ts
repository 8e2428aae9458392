/** Rows that are worked on at once: as many as stay in the processor's nearest memory. */
export const PIECE = 2_048;

/**
 * Long work in pieces. A loop over a year, run once, is compiled while it runs and again the next time; a function that
 * is called for every piece is compiled once and stays so.
 */
export function inPieces(n: number, work: (from: number, to: number) => void): void {
  for (let from = 0; from < n; from += PIECE) work(from, Math.min(n, from + PIECE));
}
