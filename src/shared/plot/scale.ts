/** Where a panel's values lie on the canvas, in its pixels: the plot's box and the values at its foot and its top. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
}

/** Room above and below the values, as a share of their span. */
const PADDING = 0.08;

/** Limits of an axis that shows everything between `low` and `high`. NaN where there is nothing to show. */
export function paddedLimits(low: number, high: number): [number, number] {
  if (!(low <= high)) return [Number.NaN, Number.NaN];
  // Equal values would divide by nothing.
  const padding = Math.max((high - low) * PADDING, Math.abs(high) * 1e-6, 1e-3);
  return high === low ? [low - Math.max(1, padding), high + Math.max(1, padding)] : [low - padding, high + padding];
}

export function yOf(box: Box, value: number): number {
  return box.top + box.height - ((value - box.low) / (box.high - box.low)) * box.height;
}
