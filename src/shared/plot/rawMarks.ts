import type { GapCause } from "#shared/series/gap.ts";
import { type Bins, pixelWidth } from "./bins.ts";
import { type Box, yOf } from "./scale.ts";

/** Rejected data is dimmed, so that it is not mistaken for the series. */
export const RAW_OPACITY = 0.5;
/** Size of a point in CSS pixels. */
export const RAW_POINT_PX = 3;

/** Returns the opacity of a hatch across a panel, which must not hide rejected data. */
export function hatchOpacity(cause: GapCause, hasRaw: boolean): number {
  return hasRaw && cause === "filteredOut" ? 0.4 : 1;
}

/**
 * Passes the rectangles of rejected rows to `put`: a point for each row, or a bar from minimum to maximum for each dense
 * column. Adjacent bars do not overlap, because overlaps would be most of the work of drawing them.
 *
 * @param sizePx size of a point, in the pixels of the box
 */
export function rawMarks(
  bins: Bins,
  box: Box,
  sizePx: number,
  put: (left: number, top: number, right: number, foot: number) => void,
): void {
  const { n, isExact } = bins;
  const unit = pixelWidth(bins, box);
  let fromLast = Infinity;
  for (let i = 0; i < n; i++) {
    const x = bins.x[i]! * unit;
    const toNext = i + 1 < n ? bins.x[i + 1]! * unit - x : Infinity;
    const wide = Math.max(sizePx / 2, bins.half[i]! * unit);
    const before = !isExact && fromLast < sizePx ? fromLast / 2 : wide;
    const after = !isExact && toNext < sizePx ? toNext / 2 : wide;
    const middle = box.left + x;
    put(middle - before, yOf(box, bins.max[i]!) - sizePx / 2, middle + after, yOf(box, bins.min[i]!) + sizePx / 2);
    fromLast = toNext;
  }
}
