import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import type { HatchFills } from "./hatch.ts";
import { type Lane, LANE_OPACITY, type LaneSegment, sharedBox } from "#shared/plot/lanes.ts";

/** An area of the canvas, in device pixels, and the fills of gaps. */
export interface GapCanvas {
  readonly ctx: CanvasRenderingContext2D;
  readonly view: TimeRange;
  readonly fills: HatchFills;
  readonly left: number;
  readonly width: number;
  readonly ratio: number;
}

interface Span {
  readonly x: number;
  readonly width: number;
}

/** Returns the horizontal pixels of a range; null if it is outside the view. */
function spanOf(canvas: GapCanvas, range: TimeRange): Span | null {
  const perMs = canvas.width / (canvas.view.endMs - canvas.view.startMs);
  const from = Math.max(0, (range.startMs - canvas.view.startMs) * perMs);
  const to = Math.min(canvas.width, (range.endMs - canvas.view.startMs) * perMs);
  if (to <= 0 || from >= canvas.width) return null;
  const x = Math.round(canvas.left + from);
  return { x, width: Math.max(1, Math.round(canvas.left + to) - x) };
}

/** Minimum height, so that the gap of one station among hundreds is visible. */
const MIN_SHARE_PX = 2;
const LABEL_PX = 12;
const LABEL_PADDING_PX = 16;

/** Draws the gaps of one station across the height of its panel. */
export function drawPanelGaps(
  canvas: GapCanvas,
  segments: readonly LaneSegment[],
  box: { readonly top: number; readonly height: number },
  opacityOf: (cause: GapCause) => number,
): void {
  for (const { range, cause } of segments) {
    const at = spanOf(canvas, range);
    const fill = canvas.fills.get(cause);
    if (!at || fill === undefined) continue;
    canvas.ctx.globalAlpha = opacityOf(cause);
    canvas.ctx.fillStyle = fill;
    canvas.ctx.fillRect(at.x, box.top, at.width, box.height);
  }
}

/** Labels each gap that is wide enough, on a background that covers the grid. */
export function drawGapLabels(
  canvas: GapCanvas,
  segments: readonly LaneSegment[],
  top: number,
  style: { readonly colour: string; readonly background: string; readonly fontFamily: string },
): void {
  const { ctx, ratio } = canvas;
  ctx.font = `${LABEL_PX * ratio}px ${style.fontFamily}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const { range, cause } of segments) {
    const at = spanOf(canvas, range);
    if (!at) continue;
    const { word } = gapMark(cause);
    const wordWidth = ctx.measureText(word).width;
    if (at.width < wordWidth + LABEL_PADDING_PX * ratio) continue;
    const x = at.x + at.width / 2;
    const y = top + 14 * ratio;
    ctx.fillStyle = style.background;
    ctx.fillRect(x - wordWidth / 2 - 4 * ratio, y - 8 * ratio, wordWidth + 8 * ratio, 16 * ratio);
    ctx.fillStyle = style.colour;
    ctx.fillText(word, x, y);
  }
}

interface LaneLook {
  readonly colour: string;
  /** Number of stations that share the lane of many. */
  readonly stations: number;
  /** Where the future begins. */
  readonly nowMs: number;
}

/**
 * Draws the lane of a station: its colour where there is data, hatching in gaps, nothing in the future. In the shared lane
 * of many stations, the height of the hatching is the share of stations with the gap.
 */
export function drawLane(
  canvas: GapCanvas,
  lane: Lane,
  box: { readonly top: number; readonly height: number },
  { colour, stations, nowMs }: LaneLook,
): void {
  const { ctx } = canvas;
  const past = spanOf(canvas, { startMs: canvas.view.startMs, endMs: nowMs });
  ctx.fillStyle = colour;
  ctx.globalAlpha = LANE_OPACITY;
  if (past) ctx.fillRect(past.x, box.top, past.width, box.height);
  ctx.globalAlpha = 1;
  for (const segment of lane.segments) {
    const at = spanOf(canvas, segment.range);
    if (!at) continue;
    const { top, height } =
      lane.stationId === null ? sharedBox(box, segment, stations, MIN_SHARE_PX * canvas.ratio) : box;
    ctx.clearRect(at.x, top, at.width, height);
    ctx.fillStyle = canvas.fills.get(segment.cause) ?? colour;
    // The pattern starts at the lane; otherwise one with wide spacing could miss a low lane.
    ctx.save();
    ctx.translate(0, top);
    ctx.fillRect(at.x, 0, at.width, height);
    ctx.restore();
  }
  ctx.globalAlpha = 1;
}
