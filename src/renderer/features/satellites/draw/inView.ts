import type { TimeRange } from "#shared/time/range.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { valueTicks } from "#shared/plot/scale.ts";
import { constellationAt } from "../constellations.ts";
import { KINDS, type ViewColumns } from "../data/inView.ts";
import { drawHorizontalAxis, drawVerticalAxis, type Frame } from "./axes.ts";
import type { FigureSize, Paper, Pen } from "./theme.ts";

/** Margins for the axes, and for the names on the right. */
export const VIEW_LEFT_PX = 34;
const VIEW_BOTTOM_PX = 22;
export const VIEW_RIGHT_PX = 76;

export function viewFrame({ width, height }: FigureSize): Frame {
  return {
    left: VIEW_LEFT_PX,
    top: 8,
    width: Math.max(1, width - VIEW_LEFT_PX - VIEW_RIGHT_PX),
    height: height - 8 - VIEW_BOTTOM_PX,
  };
}

/** Width of a tick label with the day. */
const TICK_SPACE_PX = 116;

/** Draws stacked areas, one for each constellation, with gaps where nothing was observed. */
export function drawInView(
  paper: Paper,
  { columns, range }: { readonly columns: ViewColumns; readonly range: TimeRange },
): void {
  const { ctx, theme } = paper;
  const frame = viewFrame(paper);
  const n = columns.epochs.length;
  const top = Math.max(4, Math.ceil(columns.max * 1.05));
  const pxPerSatellite = frame.height / top;
  const { values } = valueTicks(0, top, Math.max(2, frame.height / 30));
  drawVerticalAxis(
    paper,
    frame,
    values.filter(Number.isInteger).map((v) => ({ at: v * pxPerSatellite, label: String(v) })),
  );
  const base = new Float32Array(n);
  const lastColumn = columns.epochs.findLastIndex((epochs) => epochs > 0);
  for (let kind = 0; kind < KINDS; kind++) {
    ctx.fillStyle = theme.constellations[kind] ?? theme.text;
    ctx.globalAlpha = 0.85;
    for (let column = 0; column < n;) {
      if (columns.epochs[column] === 0) {
        column++;
        continue;
      }
      // Adjacent columns of the same height are drawn as one rectangle.
      const height = columns.mean[kind * n + column]!;
      const bottom = base[column]!;
      let end = column;
      while (end < n && columns.epochs[end]! > 0 && columns.mean[kind * n + end] === height && base[end] === bottom)
        base[end++] = bottom + height;
      const left = frame.left + (column / n) * frame.width;
      const right = frame.left + (end / n) * frame.width;
      const y = frame.top + frame.height - (bottom + height) * pxPerSatellite;
      if (height > 0) ctx.fillRect(left, y, right - left, height * pxPerSatellite);
      column = end;
    }
    ctx.globalAlpha = 1;
  }
  drawNames(paper, frame, columns, { lastColumn, pxPerSatellite });
  const ticks = timeTicks(range, frame.width, TICK_SPACE_PX);
  drawHorizontalAxis(
    paper,
    frame,
    ticks.map(({ timeMs, label, context }) => ({
      at: xOf(timeMs, range, frame.width),
      label: context === null ? label : context.length === 4 ? `${context}-${label}` : `${context} ${label}`,
    })),
  );
}

/** Labels the constellations beside the last column, so that no legend is needed. */
function drawNames(
  { ctx, theme }: Pen,
  frame: Frame,
  { epochs, mean }: ViewColumns,
  { lastColumn, pxPerSatellite }: { readonly lastColumn: number; readonly pxPerSatellite: number },
): void {
  if (lastColumn < 0) return;
  ctx.font = theme.font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  let bottom = 0;
  let lastY = Number.POSITIVE_INFINITY;
  for (let kind = 0; kind < KINDS; kind++) {
    const height = mean[kind * epochs.length + lastColumn] ?? 0;
    if (height === 0) continue;
    const middle = frame.top + frame.height - (bottom + height / 2) * pxPerSatellite;
    bottom += height;
    const y = Math.min(middle, lastY - 13);
    lastY = y;
    ctx.fillStyle = theme.constellations[kind] ?? theme.text;
    ctx.fillRect(frame.left + frame.width + 6, y - 4, 6, 8);
    ctx.fillStyle = theme.text;
    ctx.fillText(constellationAt(kind).name, frame.left + frame.width + 15, y + 0.5);
  }
  ctx.textBaseline = "alphabetic";
}

function xOf(timeMs: number, range: TimeRange, width: number): number {
  return ((timeMs - range.startMs) / (range.endMs - range.startMs)) * width;
}
