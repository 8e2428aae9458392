import { SCALE_HIGH_DB_HZ, SCALE_LOW_DB_HZ, SCALE_TICKS_DB_HZ, type FigureTheme } from "./theme.ts";

const BAR_PX = 12;

/** Draws the C/N0 scale as a vertical bar with ticks on the right. */
export function drawScale(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  x: number,
  top: number,
  height: number,
): void {
  const step = height / theme.scale.length;
  for (const [i, colour] of theme.scale.entries()) {
    ctx.fillStyle = colour;
    ctx.fillRect(x, top + height - (i + 1) * step, BAR_PX, step + 0.5);
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const value of SCALE_TICKS_DB_HZ) {
    const y = top + height * (1 - (value - SCALE_LOW_DB_HZ) / (SCALE_HIGH_DB_HZ - SCALE_LOW_DB_HZ));
    const sign = value === SCALE_LOW_DB_HZ ? "≤ " : value === SCALE_HIGH_DB_HZ ? "≥ " : "";
    ctx.fillText(`${sign}${value}`, x + BAR_PX + 4, y);
  }
  ctx.textBaseline = "alphabetic";
  ctx.fillText("dB-Hz", x, top - 9);
}
