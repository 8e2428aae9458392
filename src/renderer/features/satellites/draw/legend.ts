import { SCALE_HIGH_DB_HZ, SCALE_LOW_DB_HZ, SCALE_TICKS_DB_HZ, type FigureTheme } from "./theme.ts";

const BAR_PX = 12;

/** The scale of C/N0 as an upright bar with its ticks at the right. */
export function drawScale(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  x: number,
  top: number,
  height: number,
): void {
  const step = height / theme.scale.length;
  for (let i = 0; i < theme.scale.length; i++) {
    ctx.fillStyle = theme.scale[i]!;
    ctx.fillRect(x, top + height - (i + 1) * step, BAR_PX, step + 0.5);
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (let i = 0; i < SCALE_TICKS_DB_HZ.length; i++) {
    const value = SCALE_TICKS_DB_HZ[i]!;
    const y = top + height * (1 - (value - SCALE_LOW_DB_HZ) / (SCALE_HIGH_DB_HZ - SCALE_LOW_DB_HZ));
    const sign = value === SCALE_LOW_DB_HZ ? "≤ " : value === SCALE_HIGH_DB_HZ ? "≥ " : "";
    ctx.fillText(`${sign}${value}`, x + BAR_PX + 4, y);
  }
  ctx.textBaseline = "alphabetic";
  ctx.fillText("dB-Hz", x, top - 9);
}
