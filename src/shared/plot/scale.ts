/** The rectangle of a plot in pixels of the canvas, and the values at its lower (`low`) and upper edge (`high`). */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly low: number;
  readonly high: number;
}

/** Margin above and below the values, as a share of their span. */
const PADDING = 0.08;

/** Returns limits of an axis for values from `low` to `high`; NaN without values. */
export function paddedLimits(low: number, high: number): [number, number] {
  if (!(low <= high)) return [Number.NaN, Number.NaN];
  // Equal values would cause a division by zero.
  const padding = Math.max((high - low) * PADDING, Math.abs(high) * 1e-6, 1e-3);
  return high === low ? [low - Math.max(1, padding), high + Math.max(1, padding)] : [low - padding, high + padding];
}

export function yOf(box: Box, value: number): number {
  return box.top + box.height - ((value - box.low) / (box.high - box.low)) * box.height;
}
