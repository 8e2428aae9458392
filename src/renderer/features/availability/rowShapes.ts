import { rect } from "#shared/plot/figure/axes.ts";
import { hatchShape } from "#shared/plot/figure/page.ts";
import type { Rect, VectorShape } from "#shared/plot/figure/scene.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { BinStyle } from "./binStyle.ts";
import { edgePx } from "./calendarGrid.ts";

/** Minimum width of a column with a gap to its neighbour. */
const MIN_WIDTH_FOR_GAP_PX = 5;
const NOT_FINAL_PX = 2;

/** Draws the row of one station. In each column, the share that was not requested is above the requested one. */
export function rowShapes(styles: readonly BinStyle[], box: Rect, theme: PlotTheme): VectorShape[] {
  const shapes: VectorShape[] = [];
  for (let bin = 0; bin < styles.length;) {
    const style = styles[bin]!;
    const left = edgePx(bin, styles.length, box.width);
    let end = bin + 1;
    const hasGap = edgePx(end, styles.length, box.width) - left >= MIN_WIDTH_FOR_GAP_PX;
    if (!hasGap) while (end < styles.length && looksLike(styles[end]!, style)) end++;
    const width = edgePx(end, styles.length, box.width) - left - (hasGap ? 1 : 0);
    shapes.push(...columnShapes(style, { ...box, x: box.x + left, width }, theme));
    bin = end;
  }
  return shapes;
}

function looksLike(a: BinStyle, b: BinStyle): boolean {
  const { fill, requestedShare, restCause, isFinal } = b;
  return a.fill === fill && a.requestedShare === requestedShare && a.restCause === restCause && a.isFinal === isFinal;
}

function columnShapes(
  { fill, requestedShare, restCause, isFinal }: BinStyle,
  box: Rect,
  theme: PlotTheme,
): VectorShape[] {
  if (fill === null) return [];
  // Even a tiny share stays visible.
  const asked = requestedShare === 0 ? 0 : Math.min(box.height, Math.max(3, Math.round(box.height * requestedShare)));
  const top = requestedShare === 1 ? 0 : Math.max(3, box.height - asked);
  const rest = requestedShare < 1 ? [hatchShape({ ...box, height: top }, restCause, theme)] : [];
  if (requestedShare === 0) return rest;
  const body = { ...box, y: box.y + top, height: Math.max(0, box.height - top) };
  const foot = { ...box, y: box.y + box.height - NOT_FINAL_PX, height: NOT_FINAL_PX };
  return [
    ...rest,
    typeof fill === "string" ? hatchShape(body, fill, theme) : rect(body, theme.colour(fill.colour), fill.opacity),
    ...(isFinal ? [] : [rect(foot, theme.colour("--ok"))]),
  ];
}
