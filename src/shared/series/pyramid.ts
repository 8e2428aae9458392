/** Statistics of blocks of consecutive rows, by column. */
export interface PyramidBlocks {
  readonly firstMs: Float64Array;
  readonly lastMs: Float64Array;
  readonly count: Float64Array;
  /**
   * For each pyramid the minima of all blocks, then their maxima, then their means. Single precision; minima are rounded
   * down and maxima up, so that no value lies outside of them.
   */
  readonly summaries: Float32Array;
}

/**
 * Statistics of one variable of one chunk for plots: blocks of 64 rows, from `start` to `end` (exclusive) in arrays
 * that other chunks may share, the summaries from 3 × `start` on. `firstMs` and `lastMs` are the times of the first and
 * last value of a block; a block without any has count 0 and NaN elsewhere.
 */
export interface Pyramid extends PyramidBlocks {
  readonly start: number;
  readonly end: number;
}
