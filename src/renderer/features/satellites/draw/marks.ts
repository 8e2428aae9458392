import type { MarkShape } from "../constellations.ts";
import type { FigurePoint } from "./theme.ts";

/** Traces the path of a symbol around its centre. */
export function markPath(ctx: CanvasRenderingContext2D, shape: MarkShape, { x, y }: FigurePoint, r: number): void {
  ctx.beginPath();
  switch (shape) {
    case "circle":
      ctx.arc(x, y, r, 0, 2 * Math.PI);
      break;
    case "square":
      ctx.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
      break;
    case "triangle":
      ctx.moveTo(x, y - r * 1.15);
      ctx.lineTo(x + r * 1.1, y + r * 0.85);
      ctx.lineTo(x - r * 1.1, y + r * 0.85);
      ctx.closePath();
      break;
    case "down":
      ctx.moveTo(x, y + r * 1.15);
      ctx.lineTo(x + r * 1.1, y - r * 0.85);
      ctx.lineTo(x - r * 1.1, y - r * 0.85);
      ctx.closePath();
      break;
    case "diamond":
      ctx.moveTo(x, y - r * 1.3);
      ctx.lineTo(x + r * 1.1, y);
      ctx.lineTo(x, y + r * 1.3);
      ctx.lineTo(x - r * 1.1, y);
      ctx.closePath();
      break;
    case "cross": {
      const a = r * 0.4;
      ctx.rect(x - r, y - a, 2 * r, 2 * a);
      ctx.rect(x - a, y - r, 2 * a, 2 * r);
      break;
    }
  }
}
