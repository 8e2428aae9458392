import type { Disc } from "./skyScene.ts";
import type { FigureTheme } from "./theme.ts";

const CARDINALS: readonly (readonly [string, number, number])[] = [
  ["N", 0, -1],
  ["E", 1, 0],
  ["S", 0, 1],
  ["W", -1, 0],
];
const RING_LABELS = ["0°", "30°", "60°"];

/** Lines of azimuth and elevation, shaded below the cut-off. */
export function drawRings(ctx: CanvasRenderingContext2D, theme: FigureTheme, disc: Disc, cutOffDeg: number): void {
  const { x, y, radius } = disc;
  if (cutOffDeg > 0) {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.arc(x, y, (radius * (90 - cutOffDeg)) / 90, 0, 2 * Math.PI, true);
    ctx.fillStyle = theme.shade;
    ctx.fill();
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = theme.line;
  ctx.beginPath();
  for (let azimuth = 0; azimuth < 180; azimuth += 30) {
    const dx = Math.sin((azimuth * Math.PI) / 180) * radius;
    const dy = Math.cos((azimuth * Math.PI) / 180) * radius;
    ctx.moveTo(x - dx, y + dy);
    ctx.lineTo(x + dx, y - dy);
  }
  for (let elevation = 15; elevation < 90; elevation += 15) {
    const r = (radius * (90 - elevation)) / 90;
    ctx.moveTo(x + r, y);
    ctx.arc(x, y, r, 0, 2 * Math.PI);
  }
  ctx.stroke();
  ctx.strokeStyle = theme.strong;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.font = theme.bold;
  ctx.fillStyle = theme.text;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (let i = 0; i < CARDINALS.length; i++) {
    const [name, east, south] = CARDINALS[i]!;
    ctx.fillText(name, x + east * (radius + 10), y + south * (radius + 10));
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "left";
  for (let elevation = 0; elevation < 90; elevation += 30)
    ctx.fillText(RING_LABELS[elevation / 30]!, x + 3, y - (radius * (90 - elevation)) / 90 + 8);
  ctx.textBaseline = "alphabetic";
}
