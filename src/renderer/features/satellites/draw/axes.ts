import { type Pen, SCALE_HIGH_DB_HZ, SCALE_LOW_DB_HZ, SCALE_TICKS_DB_HZ } from "./theme.ts";

/** The plot area of a figure, in CSS pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Tick {
  /** Distance from the left or the bottom of the frame, in pixels. */
  readonly at: number;
  readonly label: string;
}

const TICK_GAP_PX = 6;

/** Draws the ticks of the vertical axis as grid lines, with labels on the left. */
export function drawVerticalAxis({ ctx, theme }: Pen, frame: Frame, ticks: readonly Tick[]): void {
  const { left, top, width, height } = frame;
  ctx.font = theme.font;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.quiet;
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const { at, label } of ticks) {
    const y = Math.round(top + height - at) + 0.5;
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.fillText(label, left - TICK_GAP_PX, y);
  }
  ctx.stroke();
  ctx.textBaseline = "alphabetic";
}

/** Draws the horizontal axis below the frame, with labels kept inside the figure. */
export function drawHorizontalAxis({ ctx, theme }: Pen, frame: Frame, ticks: readonly Tick[]): void {
  const { left, top, width, height } = frame;
  ctx.font = theme.font;
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  ctx.fillStyle = theme.quiet;
  ctx.strokeStyle = theme.strong;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(left, top + height + 0.5);
  ctx.lineTo(left + width, top + height + 0.5);
  for (const { at, label } of ticks) {
    const x = Math.round(left + at) + 0.5;
    ctx.moveTo(x, top + height);
    ctx.lineTo(x, top + height + 4);
    const half = ctx.measureText(label).width / 2;
    ctx.fillText(label, Math.max(half, x), top + height + 6);
  }
  ctx.stroke();
  ctx.textBaseline = "alphabetic";
}

const BAR_PX = 12;

/** Draws the C/N0 scale as a vertical bar with ticks on the right. */
export function drawScale({ ctx, theme }: Pen, { left, top, height }: Omit<Frame, "width">): void {
  const step = height / theme.scale.length;
  for (const [i, colour] of theme.scale.entries()) {
    ctx.fillStyle = colour;
    ctx.fillRect(left, top + height - (i + 1) * step, BAR_PX, step + 0.5);
  }
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const value of SCALE_TICKS_DB_HZ) {
    const y = top + height * (1 - (value - SCALE_LOW_DB_HZ) / (SCALE_HIGH_DB_HZ - SCALE_LOW_DB_HZ));
    const sign = value === SCALE_LOW_DB_HZ ? "≤ " : value === SCALE_HIGH_DB_HZ ? "≥ " : "";
    ctx.fillText(`${sign}${value}`, left + BAR_PX + 4, y);
  }
  ctx.textBaseline = "alphabetic";
  ctx.fillText("dB-Hz", left, top - 9);
}
