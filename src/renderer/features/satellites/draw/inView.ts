import type { TimeRange } from "#shared/time/range.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { valueTicks } from "#shared/plot/valueTicks.ts";
import { constellationAt } from "../constellations.ts";
import { KINDS, type ViewColumns } from "../data/inView.ts";
import { drawAlong, drawUpright, type Frame } from "./axes.ts";
import type { FigureTheme } from "./theme.ts";

/** Room for the names at the right, and for the axes. */
export const VIEW_LEFT_PX = 34;
export const VIEW_FOOT_PX = 22;
export const VIEW_RIGHT_PX = 76;

export function viewFrame(width: number, height: number): Frame {
  return {
    left: VIEW_LEFT_PX,
    top: 8,
    width: Math.max(1, width - VIEW_LEFT_PX - VIEW_RIGHT_PX),
    height: height - 8 - VIEW_FOOT_PX,
  };
}

/** A tick's label with its day. */
const TICK_SPACE_PX = 116;

/** Stacked steps, a constellation above the other; where nothing was observed there is nothing. */
export function drawInView(
  ctx: CanvasRenderingContext2D,
  width: number,
  height: number,
  theme: FigureTheme,
  { columns, range }: { readonly columns: ViewColumns; readonly range: TimeRange },
): void {
  const frame = viewFrame(width, height);
  const n = columns.epochs.length;
  const top = Math.max(4, Math.ceil(columns.most * 1.05));
  const perOne = frame.height / top;
  const { values } = valueTicks(0, top, Math.max(2, frame.height / 30));
  drawUpright(
    ctx,
    theme,
    frame,
    values.filter(Number.isInteger).map((v) => ({ at: v * perOne, label: String(v) })),
  );
  const base = new Float32Array(n);
  let lastColumn = -1;
  for (let column = 0; column < n; column++) if (columns.epochs[column]! > 0) lastColumn = column;
  for (let kind = 0; kind < KINDS; kind++) {
    ctx.fillStyle = theme.constellations[kind]!;
    ctx.globalAlpha = 0.85;
    for (let column = 0; column < n;) {
      if (columns.epochs[column] === 0) {
        column++;
        continue;
      }
      // Columns of the same height are one rectangle.
      const height = columns.mean[kind * n + column]!;
      const foot = base[column]!;
      let end = column;
      while (end < n && columns.epochs[end]! > 0 && columns.mean[kind * n + end] === height && base[end] === foot)
        base[end++] = foot + height;
      const left = frame.left + (column / n) * frame.width;
      const right = frame.left + (end / n) * frame.width;
      const y = frame.top + frame.height - (foot + height) * perOne;
      if (height > 0) ctx.fillRect(left, y, right - left, height * perOne);
      column = end;
    }
    ctx.globalAlpha = 1;
  }
  drawNames(ctx, theme, frame, columns, { lastColumn, perOne });
  const ticks = timeTicks(range, frame.width, TICK_SPACE_PX);
  drawAlong(
    ctx,
    theme,
    frame,
    ticks.map(({ timeMs, label, context }) => ({
      at: placeOf(timeMs, range, frame.width),
      label: context === null ? label : context.length === 4 ? `${context}-${label}` : `${context} ${label}`,
    })),
  );
}

/** Beside the last column each constellation is named in its place: no colour has to be looked up. */
function drawNames(
  ctx: CanvasRenderingContext2D,
  theme: FigureTheme,
  frame: Frame,
  { epochs, mean }: ViewColumns,
  { lastColumn, perOne }: { readonly lastColumn: number; readonly perOne: number },
): void {
  if (lastColumn < 0) return;
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let foot = 0;
  let lastY = Number.POSITIVE_INFINITY;
  for (let kind = 0; kind < KINDS; kind++) {
    const height = mean[kind * epochs.length + lastColumn]!;
    if (height === 0) continue;
    const middle = frame.top + frame.height - (foot + height / 2) * perOne;
    foot += height;
    const y = Math.min(middle, lastY - 13);
    lastY = y;
    ctx.fillStyle = theme.constellations[kind]!;
    ctx.fillRect(frame.left + frame.width + 6, y - 4, 6, 8);
    ctx.fillStyle = theme.text;
    ctx.fillText(constellationAt(kind).name, frame.left + frame.width + 15, y + 0.5);
  }
  ctx.textBaseline = "alphabetic";
}

function placeOf(timeMs: number, range: TimeRange, width: number): number {
  return ((timeMs - range.startMs) / (range.endMs - range.startMs)) * width;
}
