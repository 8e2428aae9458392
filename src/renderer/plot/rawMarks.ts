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
 * Nothing joins them: between two of them may be anything.
 *
 * @param sizePx of a point, in the pixels of the box
 */
export function rawMarks(
  bins: Bins,
  box: Box,
  sizePx: number,
  put: (left: number, top: number, right: number, foot: number) => void,
): void {
  for (let i = 0; i < bins.n; i++) {
    const half = Math.max(sizePx / 2, bins.half[i]!);
    const x = box.left + bins.x[i]!;
    put(x - half, yOf(box, bins.max[i]!) - sizePx / 2, x + half, yOf(box, bins.min[i]!) + sizePx / 2);
  }
}
