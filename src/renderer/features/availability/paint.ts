import type { HatchFills } from "../../plot/hatch.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { edgePx } from "./cells.ts";
import type { Look } from "./looks.ts";

export interface Brush {
  readonly ctx: CanvasRenderingContext2D;
  readonly theme: PlotTheme;
  readonly hatches: HatchFills;
}

/** Narrower columns have no room for a line between them. */
const LEAST_FOR_GAP_PX = 5;
const NOT_FINAL_PX = 2;

/** One station: a column for each bin, what was not asked above what was, as shares of its epochs. */
export function paintRow(
  { ctx, theme, hatches }: Brush,
  looks: readonly Look[],
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  const hatched = (cause: Parameters<HatchFills["get"]>[0], x: number, y: number, w: number, h: number): void => {
    if (h <= 0) return;
    ctx.fillStyle = hatches.get(cause) ?? theme.colour("--text-3");
    ctx.fillRect(x, y, w, h);
  };
  for (const [bin, look] of looks.entries()) {
    if (look.fill === null) continue;
    const left = edgePx(bin, looks.length, box.width);
    const full = edgePx(bin + 1, looks.length, box.width) - left;
    const width = full >= LEAST_FOR_GAP_PX ? full - 1 : full;
    const x = box.x + left;
    // Whatever there is of it can be seen.
    const asked =
      look.askedShare === 0 ? 0 : Math.min(box.height, Math.max(3, Math.round(box.height * look.askedShare)));
    const top = look.askedShare === 1 ? 0 : Math.max(3, box.height - asked);
    if (look.askedShare < 1) hatched(look.rest, x, box.y, width, top);
    if (look.askedShare === 0) continue;
    const y = box.y + top;
    const height = box.height - top;
    if (typeof look.fill === "string") hatched(look.fill, x, y, width, height);
    else {
      ctx.globalAlpha = look.fill.strength;
      ctx.fillStyle = theme.colour(look.fill.colour);
      ctx.fillRect(x, y, width, height);
      ctx.globalAlpha = 1;
    }
    if (!look.isFinal) {
      ctx.fillStyle = theme.colour("--ok");
      ctx.fillRect(x, box.y + box.height - NOT_FINAL_PX, width, NOT_FINAL_PX);
    }
  }
}
