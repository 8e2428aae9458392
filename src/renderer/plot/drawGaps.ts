import type { GapCause } from "#shared/series/gap.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import type { HatchFills } from "./hatch.ts";
import { type Lane, type LanePiece, sharedBox } from "#shared/plot/lanes.ts";

/** A box on the canvas, device pixels, and how to fill it. */
export interface GapCanvas {
  readonly ctx: CanvasRenderingContext2D;
  readonly view: TimeRange;
  readonly fills: HatchFills;
  readonly left: number;
  readonly width: number;
  readonly ratio: number;
}

interface Piece {
  readonly x: number;
  readonly width: number;
}

/** Where a piece lies; null where it is out of sight. */
function place(canvas: GapCanvas, range: TimeRange): Piece | null {
  const perMs = canvas.width / (canvas.view.endMs - canvas.view.startMs);
  const from = Math.max(0, (range.startMs - canvas.view.startMs) * perMs);
  const to = Math.min(canvas.width, (range.endMs - canvas.view.startMs) * perMs);
  if (to <= 0 || from >= canvas.width) return null;
  const x = Math.round(canvas.left + from);
  return { x, width: Math.max(1, Math.round(canvas.left + to) - x) };
}

/** A gap of one among hundreds is still seen. */
const LEAST_SHARE_PX = 2;
const WORD_PX = 12;
const WORD_ROOM_PX = 16;

/** The gaps of one station across the height of its panel. */
export function drawPanelGaps(
  canvas: GapCanvas,
  pieces: readonly LanePiece[],
  box: { readonly top: number; readonly height: number },
  opacityOf: (cause: GapCause) => number,
): void {
  for (const { range, cause } of pieces) {
    const at = place(canvas, range);
    const fill = canvas.fills.get(cause);
    if (!at || fill === undefined) continue;
    canvas.ctx.globalAlpha = opacityOf(cause);
    canvas.ctx.fillStyle = fill;
    canvas.ctx.fillRect(at.x, box.top, at.width, box.height);
  }
}

/** The word of each gap that has room for it, on a ground of its own: to be drawn over the grid. */
export function drawGapWords(
  canvas: GapCanvas,
  pieces: readonly LanePiece[],
  top: number,
  words: { readonly colour: string; readonly ground: string; readonly fontFamily: string },
): void {
  const { ctx, ratio } = canvas;
  ctx.font = `${WORD_PX * ratio}px ${words.fontFamily}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const { range, cause } of pieces) {
    const at = place(canvas, range);
    if (!at) continue;
    const { word } = gapMark(cause);
    const wordWidth = ctx.measureText(word).width;
    if (at.width < wordWidth + WORD_ROOM_PX * ratio) continue;
    const x = at.x + at.width / 2;
    const y = top + 14 * ratio;
    ctx.fillStyle = words.ground;
    ctx.fillRect(x - wordWidth / 2 - 4 * ratio, y - 8 * ratio, wordWidth + 8 * ratio, 16 * ratio);
    ctx.fillStyle = words.colour;
    ctx.fillText(word, x, y);
  }
}

/**
 * A lane of a station: a line in its colour where there is data, hatches where there is none, nothing in the future. In
 * the joint lane of many a hatch is as high as the share of the stations that have the gap.
 */
export function drawLane(
  canvas: GapCanvas,
  lane: Lane,
  box: { readonly top: number; readonly height: number },
  colour: string,
  stations: number,
  nowMs: number,
): void {
  const { ctx } = canvas;
  const past = place(canvas, { startMs: canvas.view.startMs, endMs: nowMs });
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.35;
  if (past) ctx.fillRect(past.x, box.top, past.width, box.height);
  ctx.globalAlpha = 1;
  for (const piece of lane.pieces) {
    const at = place(canvas, piece.range);
    if (!at) continue;
    const { top, height } =
      lane.stationId === null ? sharedBox(box, piece, stations, LEAST_SHARE_PX * canvas.ratio) : box;
    ctx.clearRect(at.x, top, at.width, height);
    ctx.fillStyle = canvas.fills.get(piece.cause) ?? colour;
    // A hatch begins with its lane: one whose lines are farther apart than the lane is high would miss it else.
    ctx.save();
    ctx.translate(0, top);
    ctx.fillRect(at.x, 0, at.width, height);
    ctx.restore();
  }
  ctx.globalAlpha = 1;
}
