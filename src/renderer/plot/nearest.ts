import { lowerBound } from "#shared/arrays.ts";
import { type Bins, pixelWidth } from "#shared/plot/bins.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";

/**
 * Returns the id of the line nearest to a point of the plot, among those with a mark near `x`; null if none is within
 * reach. A point between the smallest and the largest value of a mark is on it.
 *
 * @param box with left and top 0, like the point
 */
export function nearestLine(
  lines: Iterable<readonly [id: string, bins: Bins]>,
  point: { readonly x: number; readonly y: number },
  box: Box,
  reachPx: number,
): string | null {
  let nearest: string | null = null;
  let leastPx = reachPx;
  for (const [id, bins] of lines) {
    const distancePx = distanceTo(bins, point, box, reachPx);
    // Of lines at the same place, the first one of the legend.
    if (distancePx > leastPx || (nearest !== null && distancePx === leastPx)) continue;
    nearest = id;
    leastPx = distancePx;
  }
  return nearest;
}

function distanceTo(
  bins: Bins,
  { x, y }: { readonly x: number; readonly y: number },
  box: Box,
  reachPx: number,
): number {
  const unit = pixelWidth(bins, box);
  const after = lowerBound(bins.x.subarray(0, bins.n), x / unit);
  let leastPx = Infinity;
  for (const i of [after - 1, after]) {
    if (i < 0 || i >= bins.n) continue;
    const aside = Math.max(0, Math.abs(bins.x[i]! * unit - x) - bins.half[i]! * unit);
    if (aside > reachPx) continue;
    const top = Math.min(yOf(box, bins.max[i]!), yOf(box, bins.mean[i]!));
    const foot = Math.max(yOf(box, bins.min[i]!), yOf(box, bins.mean[i]!));
    leastPx = Math.min(leastPx, Math.hypot(aside, Math.max(0, top - y, y - foot)));
  }
  return leastPx;
}
