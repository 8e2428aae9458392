import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Size } from "./camera.ts";
import type { Box } from "./points.ts";

/** An area that the user is drawing on the map to select stations, in screen pixels. */
export type SelectionArea =
  | { readonly kind: "box"; readonly box: Box }
  | { readonly kind: "lasso"; readonly line: readonly (readonly [number, number])[] };

export function drawSelectionArea(ctx: CanvasRenderingContext2D, area: SelectionArea, theme: PlotTheme): void {
  ctx.beginPath();
  if (area.kind === "box") {
    const { x0, y0, x1, y1 } = area.box;
    ctx.rect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  } else {
    area.line.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
    ctx.closePath();
  }
  ctx.fillStyle = theme.colour("--accent");
  ctx.globalAlpha = 0.12;
  ctx.fill("evenodd");
  ctx.globalAlpha = 1;
  ctx.strokeStyle = theme.colour("--accent");
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

/** Draws a cross at the centre of the map: Enter picks the nearest station. */
export function drawCrosshair(ctx: CanvasRenderingContext2D, { widthPx, heightPx }: Size, theme: PlotTheme): void {
  const [x, y] = [widthPx / 2, heightPx / 2];
  for (const [colour, width] of [
    [theme.colour("--surface"), 4],
    [theme.colour("--accent"), 2],
  ] as const) {
    ctx.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      ctx.moveTo(x + 4 * dx, y + 4 * dy);
      ctx.lineTo(x + 12 * dx, y + 12 * dy);
    }
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
  }
}
