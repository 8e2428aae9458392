import uPlot from "uplot";
import { annotationShapes } from "#shared/plot/annotations.ts";
import { type Bins, isBroken, markAt } from "#shared/plot/bins.ts";
import { laneBox } from "#shared/plot/lanes.ts";
import { allLines, type PanelLine } from "#shared/plot/panel.ts";
import { hatchOpacity, RAW_POINT_PX } from "#shared/plot/rawMarks.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { drawGapLabels, drawLane, drawPanelGaps, type GapCanvas } from "./drawGaps.ts";
import { paint } from "./figure/paint.ts";
import { hatchFills, type HatchFills } from "./hatch.ts";
import type { PanelContent } from "./panelContent.ts";
import { type BinnedLine, createRangeLayer, type Ink } from "./rangeLayer.ts";

/** Style of a line on a canvas. Lengths are in device pixels. */
interface LineLook extends Ink {
  readonly dash: readonly number[];
  readonly width: number;
}

/** Distance between rows, in device pixels, from which each row is drawn as a point. */
const POINT_DISTANCE_PX = 7;

/** Draws the line of a series, with points where rows are sparse. The caller clips to the box. */
function drawLine(ctx: CanvasRenderingContext2D, line: BinnedLine, look: LineLook): void {
  if (line.bins.n === 0) return;
  ctx.fillStyle = look.colour;
  ctx.strokeStyle = look.colour;
  ctx.globalAlpha = look.alpha;
  ctx.lineWidth = look.width;
  ctx.lineJoin = "round";
  ctx.setLineDash(look.dash as number[]);
  strokeMeans(ctx, line);
  ctx.setLineDash([]);
  drawPoints(ctx, line, look.width);
  ctx.globalAlpha = 1;
}

function strokeMeans(ctx: CanvasRenderingContext2D, { bins, stepMs, box }: BinnedLine): void {
  ctx.beginPath();
  for (let i = 0; i < bins.n; i++) {
    const x = box.left + bins.x[i]!;
    const y = yOf(box, bins.mean[i]!);
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
function drawPoints(ctx: CanvasRenderingContext2D, { bins, stepMs, box }: BinnedLine, width: number): void {
  const isSparse = bins.isExact && bins.n * POINT_DISTANCE_PX < box.width && stepPx(bins, stepMs) >= POINT_DISTANCE_PX;
  const size = Math.max(2, Math.round(width * 1.5)) + (isSparse ? 1 : 0);
  for (let i = 0; i < bins.n; i++) {
    const isAlone = isBroken(bins, i, stepMs) && (i === bins.n - 1 || isBroken(bins, i + 1, stepMs));
    if (!isSparse && !isAlone) continue;
    const { x, mean } = markAt(bins, i);
    ctx.fillRect(Math.round(box.left + x - size / 2), Math.round(yOf(box, mean) - size / 2), size, size);
  }
}

interface PainterPorts {
  readonly view: () => TimeRange;
  readonly theme: () => PlotTheme;
  readonly highlighted: () => string | null;
}

/** Annotations have no hatches. */
function noFill(): string {
  return "transparent";
}

const LINE_PX = 1.25;
/** With more points, lines are one pixel wide: thicker ones take ten times as long and show no more. */
const MAX_THICK_POINTS = 400;
/** Opacity of the other lines while one is highlighted. */
const DIMMED_ALPHA = 0.22;

/** The lines of a panel as they are drawn. */
interface Drawing {
  /** The plot area. */
  readonly box: Box;
  /** The highlighted line is last. */
  readonly ordered: readonly PanelLine[];
  readonly highlighted: string | null;
}

/** Draws a panel on uPlot's canvas: content behind the grid, and in front of it. */
export class Painter {
  readonly #ports: PainterPorts;
  readonly #content: PanelContent;
  readonly #ranges = createRangeLayer();
  #fills: HatchFills | null = null;

  constructor(ports: PainterPorts, content: PanelContent) {
    this.#ports = ports;
    this.#content = content;
  }

  /** Call after a change of theme. */
  updateTheme(): void {
    this.#fills = null;
  }

  drawBehind(u: uPlot): void {
    const { model, lanes } = this.#content;
    const [line] = model.lines;
    if (!line || model.lines.length !== 1) return;
    const hasRaw = line.behind !== null;
    u.ctx.save();
    drawPanelGaps(this.#gapCanvas(u), lanes[0]?.segments ?? [], u.bbox, (cause) => hatchOpacity(cause, hasRaw));
    u.ctx.restore();
  }

  drawFront(u: uPlot): void {
    const { ctx, bbox } = u;
    const [low, high] = this.#content.bounds;
    const drawing = { box: { ...bbox, low, high }, ...this.#order() };
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.#drawLabels(u);
    this.#drawRanges(ctx, drawing);
    this.#drawLines(ctx, drawing);
    this.#drawAnnotations(ctx, drawing.box);
    ctx.restore();
    ctx.save();
    this.#drawLanes(u);
    ctx.restore();
  }

  #order(): Pick<Drawing, "ordered" | "highlighted"> {
    const all = allLines(this.#content.model);
    const wanted = this.#ports.highlighted();
    // A line may be removed while its name is pointed at.
    if (!all.some(({ stationId }) => stationId === wanted)) return { ordered: all, highlighted: null };
    const isHighlighted = (line: PanelLine): number => Number(line.stationId === wanted);
    return { ordered: all.toSorted((a, b) => isHighlighted(a) - isHighlighted(b)), highlighted: wanted };
  }

  #inkOf({ stationId, colour }: PanelLine, highlighted: string | null): Ink {
    const isDimmed = highlighted !== null && highlighted !== stationId;
    return { colour: this.#ports.theme().colour(colour), alpha: isDimmed ? DIMMED_ALPHA : 1 };
  }

  /** Draws the raw rows and the ranges of the lines. */
  #drawRanges(ctx: CanvasRenderingContext2D, { box, ordered, highlighted }: Drawing): void {
    const { bins, rawBins } = this.#content;
    const layerBox = { ...box, left: 0, top: 0 };
    this.#ranges.begin(Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height)));
    for (const line of ordered) {
      const raw = rawBins.get(line.stationId);
      if (!line.behind || !raw || raw.n === 0) continue;
      this.#ranges.addRaw(raw, layerBox, this.#inkOf(line, highlighted), Math.round(RAW_POINT_PX * uPlot.pxRatio));
    }
    for (const line of ordered) {
      const own = bins.get(line.stationId);
      if (!line.track || !own || own.n === 0) continue;
      this.#ranges.add({ bins: own, stepMs: line.track.stepMs, box: layerBox }, this.#inkOf(line, highlighted));
    }
    this.#ranges.paint(ctx, Math.round(box.left), Math.round(box.top));
  }

  #drawLines(ctx: CanvasRenderingContext2D, { box, ordered, highlighted }: Drawing): void {
    const { bins } = this.#content;
    const points = ordered.reduce((sum, line) => sum + (bins.get(line.stationId)?.n ?? 0), 0);
    const ratio = uPlot.pxRatio;
    const width = points < MAX_THICK_POINTS ? LINE_PX * ratio : Math.max(1, Math.floor(ratio));
    for (const line of ordered) {
      const own = bins.get(line.stationId);
      if (!line.track || !own) continue;
      const dash = line.dash.map((px) => px * ratio);
      const binned = { bins: own, stepMs: line.track.stepMs, box };
      drawLine(ctx, binned, { ...this.#inkOf(line, highlighted), dash, width });
    }
  }

  #drawAnnotations(ctx: CanvasRenderingContext2D, box: Box): void {
    const { annotations } = this.#content.model;
    if (!annotations) return;
    const theme = this.#ports.theme();
    const look = { colour: theme.colour("--text-2"), background: theme.colour("--surface"), ratio: uPlot.pxRatio };
    for (const shape of annotationShapes(annotations, box, this.#ports.view(), look))
      paint(ctx, shape, noFill, theme.fontFamily);
  }

  #gapCanvas({ ctx, bbox: { left, width } }: uPlot): GapCanvas {
    this.#fills ??= hatchFills(ctx, this.#ports.theme().colour, uPlot.pxRatio);
    return { ctx, view: this.#ports.view(), fills: this.#fills, left, width, ratio: uPlot.pxRatio };
  }

  #drawLabels(u: uPlot): void {
    const { model, lanes } = this.#content;
    if (model.lines.length !== 1) return;
    const theme = this.#ports.theme();
    drawGapLabels(this.#gapCanvas(u), lanes[0]?.segments ?? [], u.bbox.top, {
      colour: theme.colour("--text-2"),
      background: theme.colour("--surface"),
      fontFamily: theme.fontFamily,
    });
  }

  #drawLanes(u: uPlot): void {
    const { model, lanes } = this.#content;
    const { lines, gaps } = model;
    if (lines.length < 2) return;
    const canvas = this.#gapCanvas(u);
    const bottom = u.bbox.top + u.bbox.height;
    for (const lane of lanes) {
      const index = lane.stationId === null ? 0 : lines.findIndex((l) => l.stationId === lane.stationId);
      if (index < 0) continue;
      const { topPx, heightPx } = laneBox(index, lines.length);
      const box = { top: Math.round(bottom + topPx * canvas.ratio), height: Math.round(heightPx * canvas.ratio) };
      const token = lane.stationId === null ? "--text-3" : (lines[index]?.colour ?? "--text-3");
      const look = { colour: this.#ports.theme().colour(token), stations: gaps.length, nowMs: Date.now() };
      drawLane(canvas, lane, box, look);
    }
  }
}
