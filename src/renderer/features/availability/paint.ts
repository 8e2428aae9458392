import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { type HatchFills, hatchFills } from "../../plot/hatch.ts";
import { onResizeOrThemeChange, pageTheme } from "../../plot/theme.ts";
import type { BinStyle } from "./binStyle.ts";
import { edgePx } from "./calendarGrid.ts";

export interface DrawContext {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: PlotTheme;
  readonly hatches: HatchFills;
}

/** Minimum width of a column with a gap to its neighbour. */
const MIN_WIDTH_FOR_GAP_PX = 5;
const NOT_FINAL_PX = 2;

/** Paints the row of one station. In each column, the share that was not requested is above the requested one. */
export function paintRow(
  { ctx, theme, hatches }: DrawContext,
  styles: readonly BinStyle[],
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  const hatch = (cause: Parameters<HatchFills["get"]>[0]) => hatches.get(cause) ?? theme.colour("--text-3");
  for (const [bin, style] of styles.entries()) {
    if (style.fill === null) continue;
    const left = edgePx(bin, styles.length, box.width);
    const full = edgePx(bin + 1, styles.length, box.width) - left;
    const width = full >= MIN_WIDTH_FOR_GAP_PX ? full - 1 : full;
    const x = box.x + left;
    // Even a tiny share stays visible.
    const asked =
      style.requestedShare === 0 ? 0 : Math.min(box.height, Math.max(3, Math.round(box.height * style.requestedShare)));
    const top = style.requestedShare === 1 ? 0 : Math.max(3, box.height - asked);
    if (style.requestedShare < 1) {
      ctx.fillStyle = hatch(style.restCause);
      ctx.fillRect(x, box.y, width, top);
    }
    if (style.requestedShare === 0) continue;
    const y = box.y + top;
    const height = box.height - top;
    const [fill, opacity] =
      typeof style.fill === "string" ? [hatch(style.fill), 1] : [theme.colour(style.fill.colour), style.fill.opacity];
    ctx.globalAlpha = opacity;
    ctx.fillStyle = fill;
    if (height > 0) ctx.fillRect(x, y, width, height);
    ctx.globalAlpha = 1;
    if (!style.isFinal) {
      ctx.fillStyle = theme.colour("--ok");
      ctx.fillRect(x, box.y + box.height - NOT_FINAL_PX, width, NOT_FINAL_PX);
    }
  }
}

/** Draws on a canvas at device resolution, and again when `draw`, the size or the theme changes. */
export function useCanvas(
  ref: RefObject<HTMLCanvasElement | null>,
  draw: (context: DrawContext, widthPx: number, heightPx: number) => void,
): void {
  const [revision, setRevision] = useState(0);
  useEffect(
    () => (ref.current ? onResizeOrThemeChange(ref.current, () => setRevision((n) => n + 1)) : undefined),
    [ref],
  );
  useLayoutEffect(() => {
    const canvas = ref.current;
    const ctx = canvas?.getContext("2d");
    if (!canvas || !ctx) return;
    const { clientWidth, clientHeight } = canvas;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(clientWidth * ratio);
    canvas.height = Math.round(clientHeight * ratio);
    ctx.scale(ratio, ratio);
    const theme = pageTheme();
    draw({ ctx, theme, hatches: hatchFills(ctx, theme.colour, 1) }, clientWidth, clientHeight);
  }, [ref, draw, revision]);
}
