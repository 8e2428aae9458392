import type { GapCause } from "#shared/series/gap.ts";
import type { Bins } from "./bins.ts";
import { type Box, yOf } from "./scale.ts";

/** Of raw rows behind a series, which must not pass for rows of it. */
export const RAW_OPACITY = 0.5;
/** CSS pixels of a point. */
export const RAW_POINT_PX = 3;

/** Of the hatch across a panel: where raw rows lie on it, it must not drown them. */
export function hatchOpacity(cause: GapCause, hasRaw: boolean): number {
  return hasRaw && cause === "filteredOut" ? 0.4 : 1;
}

/**
 * Places of raw rows: a point for each, or, where many share a column of time, a bar from the lowest to the highest.
 * Nothing joins them: between two of them may be anything. Bars side by side do not lie on each other, which would be
 * most of the work of drawing them.
 *
 * @param sizePx of a point, in the pixels of the box
 */
export function rawMarks(
  bins: Bins,
  box: Box,
  sizePx: number,
  put: (left: number, top: number, right: number, foot: number) => void,
): void {
  const { n, isExact, x, half, min, max } = bins;
  for (let i = 0; i < n; i++) {
    const wide = Math.max(sizePx / 2, half[i]!);
    const before = !isExact && i > 0 && x[i]! - x[i - 1]! < sizePx ? (x[i]! - x[i - 1]!) / 2 : wide;
    const after = !isExact && i + 1 < n && x[i + 1]! - x[i]! < sizePx ? (x[i + 1]! - x[i]!) / 2 : wide;
    const middle = box.left + x[i]!;
    put(middle - before, yOf(box, max[i]!) - sizePx / 2, middle + after, yOf(box, min[i]!) + sizePx / 2);
  }
}
