import { CONSTELLATIONS } from "../constellations.ts";
import { drawScale } from "./legend.ts";
import { markPath } from "./marks.ts";
import type { SkyScene } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";

const SOLID: number[] = [];

/** Lines and marks of the constellations that are there, and the scale of C/N0. */
export function drawSkyLegend(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  height: number,
  scene: SkyScene,
): void {
  const { sky, filter } = scene;
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let y = 12;
  for (let kind = 0; kind < CONSTELLATIONS.length; kind++) {
    if (filter.shown[kind] !== 1 || !sky.constellation.includes(kind)) continue;
    const { name, shape, dash } = CONSTELLATIONS[kind]!;
    ctx.strokeStyle = theme.constellations[kind]!;
    ctx.lineWidth = 1.5;
    ctx.setLineDash(dash as number[]);
    ctx.beginPath();
    ctx.moveTo(2, y);
    ctx.lineTo(26, y);
    ctx.stroke();
    ctx.setLineDash(SOLID);
    markPath(ctx, shape, 14, y, 4);
    ctx.fillStyle = theme.surface;
    ctx.fill();
    ctx.strokeStyle = theme.text;
    ctx.lineWidth = 1;
    ctx.stroke();
    ctx.fillStyle = theme.text;
    ctx.fillText(name, 32, y + 0.5);
    y += 17;
  }
  ctx.textBaseline = "alphabetic";
  const barHeight = Math.min(120, height - y - 60);
  if (barHeight < 40) return;
  const top = height - barHeight - 12;
  drawScale(ctx, theme, 4, top, barHeight);
  ctx.fillStyle = theme.text;
  ctx.fillText(scene.scaleTitle, 4, top - 25);
}
