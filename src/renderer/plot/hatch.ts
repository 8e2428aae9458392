import type { GapMark } from "#shared/plot/gapMarks.ts";

/** Creates the fill style of a cause. @param ratio device pixels per CSS pixel */
export function hatchFill(
  ctx: CanvasRenderingContext2D,
  mark: GapMark,
  colour: string,
  ratio: number,
): CanvasPattern | string {
  const { hatch } = mark;
  const tile = document.createElement("canvas");
  // A preview of a very tall figure may be scaled to less than a pixel per tile.
  tile.width = tile.height = Math.max(1, Math.round(hatch.size * ratio));
  const pattern = tile.getContext("2d");
  if (!pattern) return colour;
  const scale = tile.width / hatch.size;
  pattern.scale(scale, scale);
  pattern.fillStyle = pattern.strokeStyle = colour;
  pattern.globalAlpha = mark.ground;
  pattern.fillRect(0, 0, hatch.size, hatch.size);
  pattern.globalAlpha = 0.75;
  pattern.lineWidth = hatch.width;
  pattern.beginPath();
  for (const [x1, y1, x2, y2] of hatch.strokes) {
    pattern.moveTo(x1, y1);
    pattern.lineTo(x2, y2);
  }
  pattern.stroke();
  for (const [x, y] of hatch.dots) {
    pattern.beginPath();
    pattern.arc(x, y, hatch.width, 0, 2 * Math.PI);
    pattern.fill();
  }
  return ctx.createPattern(tile, "repeat") ?? colour;
}
