import { type Bins, isBroken, markAt } from "#shared/plot/bins.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";

/** Style of a line on a canvas. Lengths are in device pixels. */
interface LineLook {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly width: number;
  /** 1, or less while another line is highlighted. */
  readonly alpha: number;
}

/** Distance between rows, in device pixels, from which each row is drawn as a point. */
const POINT_DISTANCE_PX = 7;

/** Draws the line of a series, with points where rows are sparse. The caller clips to the box. */
export function drawLine(ctx: CanvasRenderingContext2D, bins: Bins, stepMs: number, box: Box, look: LineLook): void {
  if (bins.n === 0) return;
  ctx.fillStyle = look.colour;
  ctx.strokeStyle = look.colour;
  ctx.globalAlpha = look.alpha;
  ctx.lineWidth = look.width;
  ctx.lineJoin = "round";
  ctx.setLineDash(look.dash as number[]);
  strokeMeans(ctx, bins, stepMs, box);
  ctx.setLineDash([]);
  drawPoints(ctx, bins, stepMs, box, look.width);
  ctx.globalAlpha = 1;
}

function strokeMeans(ctx: CanvasRenderingContext2D, bins: Bins, stepMs: number, box: Box): void {
  ctx.beginPath();
  for (let i = 0; i < bins.n; i++) {
    const mark = markAt(bins, i);
    const x = box.left + mark.x;
    const y = yOf(box, mark.mean);
    if (!isBroken(bins, i, stepMs)) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
  }
  ctx.stroke();
}

/** Returns the distance between consecutive rows in device pixels. Gaps do not count: they make few rows, not sparse ones. */
function stepPx(bins: Bins, stepMs: number): number {
  if (bins.n < 2) return Infinity;
  const [first, last] = [markAt(bins, 0), markAt(bins, bins.n - 1)];
  const spanMs = last.fromMs - first.fromMs;
  return spanMs > 0 ? (stepMs * (last.x - first.x)) / spanMs : Infinity;
}

/** Draws a point for every row if they are sparse, else only for values without a neighbour to connect to. */
function drawPoints(ctx: CanvasRenderingContext2D, bins: Bins, stepMs: number, box: Box, width: number): void {
  const isSparse = bins.isExact && bins.n * POINT_DISTANCE_PX < box.width && stepPx(bins, stepMs) >= POINT_DISTANCE_PX;
  const size = Math.max(2, Math.round(width * 1.5)) + (isSparse ? 1 : 0);
  for (let i = 0; i < bins.n; i++) {
    const isAlone = isBroken(bins, i, stepMs) && (i === bins.n - 1 || isBroken(bins, i + 1, stepMs));
    if (!isSparse && !isAlone) continue;
    const { x, mean } = markAt(bins, i);
    ctx.fillRect(Math.round(box.left + x - size / 2), Math.round(yOf(box, mean) - size / 2), size, size);
  }
}
