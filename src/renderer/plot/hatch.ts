import type { GapCause } from "#shared/series/gap.ts";
import { GAP_MARKS, type GapMark } from "#shared/plot/gapMarks.ts";

/** Fill styles of the marks on a canvas. */
export type HatchFills = ReadonlyMap<GapCause, CanvasPattern | string>;

/** @param colourOf resolves a token @param ratio device pixels per CSS pixel */
export function hatchFills(
  ctx: CanvasRenderingContext2D,
  colourOf: (token: string) => string,
  ratio: number,
): HatchFills {
  return new Map(GAP_MARKS.map((mark) => [mark.cause, fillOf(ctx, mark, colourOf(mark.colour), ratio)]));
}

function fillOf(ctx: CanvasRenderingContext2D, mark: GapMark, colour: string, ratio: number): CanvasPattern | string {
  const { hatch } = mark;
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(hatch.size * ratio);
  const on = tile.getContext("2d");
  if (!on) return colour;
  const scale = tile.width / hatch.size;
  on.scale(scale, scale);
  on.fillStyle = on.strokeStyle = colour;
  on.globalAlpha = mark.ground;
  on.fillRect(0, 0, hatch.size, hatch.size);
  on.globalAlpha = 0.75;
  on.lineWidth = hatch.width;
  on.beginPath();
  for (const [x1, y1, x2, y2] of hatch.strokes) {
    on.moveTo(x1, y1);
    on.lineTo(x2, y2);
  }
  on.stroke();
  for (const [x, y] of hatch.dots) {
    on.beginPath();
    on.arc(x, y, hatch.width, 0, 2 * Math.PI);
    on.fill();
  }
  return ctx.createPattern(tile, "repeat") ?? colour;
}
