import uPlot from "uplot";
import { annotationShapes } from "#shared/plot/annotations.ts";
import { type Bins, isBroken, markAt } from "#shared/plot/bins.ts";
import { type Lane, laneBox } from "#shared/plot/lanes.ts";
import { allLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import { hatchOpacity, RAW_POINT_PX } from "#shared/plot/rawMarks.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { drawGapLabels, drawLane, drawPanelGaps, type GapCanvas } from "./drawGaps.ts";
import { paint } from "./figure/paint.ts";
import { hatchFills, type HatchFills } from "./hatch.ts";
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

/** The visible content of a panel. */
interface PanelContent {
  readonly model: PanelModel;
  /** Ends of the value axis. */
  readonly limits: readonly [number, number];
  readonly lanes: readonly Lane[];
  /** Lines, and raw rows behind them, by station. */
  readonly bins: ReadonlyMap<string, Bins>;
  readonly rawBins: ReadonlyMap<string, Bins>;
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

/** Draws a panel on uPlot's canvas: content behind the grid, and in front of it. */
export function createPainter(ports: PainterPorts, content: () => PanelContent) {
  const ranges = createRangeLayer();
  let fills: HatchFills | null = null;

  function gapCanvas(u: uPlot): GapCanvas {
    fills ??= hatchFills(u.ctx, ports.theme().colour, uPlot.pxRatio);
    return { ctx: u.ctx, view: ports.view(), fills, left: u.bbox.left, width: u.bbox.width, ratio: uPlot.pxRatio };
  }

  function behind(u: uPlot): void {
    const { model, lanes } = content();
    if (model.lines.length !== 1) return;
    u.ctx.save();
    const hasRaw = model.lines[0]?.behind !== null;
    drawPanelGaps(gapCanvas(u), lanes[0]?.segments ?? [], u.bbox, (cause) => hatchOpacity(cause, hasRaw));
    u.ctx.restore();
  }

  function drawLabels(u: uPlot): void {
    const { model, lanes } = content();
    if (model.lines.length !== 1) return;
    const theme = ports.theme();
    drawGapLabels(gapCanvas(u), lanes[0]?.segments ?? [], u.bbox.top, {
      colour: theme.colour("--text-2"),
      background: theme.colour("--surface"),
      fontFamily: theme.fontFamily,
    });
  }

  function front(u: uPlot): void {
    const { ctx, bbox } = u;
    const { model, limits, bins, rawBins } = content();
    const [low, high] = limits;
    const box: Box = { ...bbox, low, high };
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    drawLabels(u);
    const all = allLines(model);
    const wanted = ports.highlighted();
    // A line may be removed while its name is pointed at.
    const highlighted = all.some(({ stationId }) => stationId === wanted) ? wanted : null;
    const isHighlighted = (line: PanelLine): number => Number(line.stationId === highlighted);
    // The highlighted line is drawn last.
    const ordered = highlighted === null ? all : all.toSorted((a, b) => isHighlighted(a) - isHighlighted(b));
    ranges.begin(Math.max(1, Math.round(bbox.width)), Math.max(1, Math.round(bbox.height)));
    const layerBox = { ...box, left: 0, top: 0 };
    for (const { stationId, behind, colour } of ordered) {
      const raw = rawBins.get(stationId);
      if (!behind || !raw || raw.n === 0) continue;
      const alpha = highlighted !== null && highlighted !== stationId ? DIMMED_ALPHA : 1;
      const ink = { colour: ports.theme().colour(colour), alpha };
      ranges.addRaw(raw, layerBox, ink, Math.round(RAW_POINT_PX * uPlot.pxRatio));
    }
    for (const line of ordered)
      drawOne(line, highlighted, (bins, stepMs, ink) => ranges.add({ bins, stepMs, box: layerBox }, ink));
    ranges.paint(ctx, Math.round(bbox.left), Math.round(bbox.top));
    const points = all.reduce((sum, line) => sum + (bins.get(line.stationId)?.n ?? 0), 0);
    const ratio = uPlot.pxRatio;
    const width = points < MAX_THICK_POINTS ? LINE_PX * ratio : Math.max(1, Math.floor(ratio));
    for (const line of ordered) {
      const dash = line.dash.map((px) => px * ratio);
      drawOne(line, highlighted, (bins, stepMs, ink) => drawLine(ctx, { bins, stepMs, box }, { ...ink, dash, width }));
    }
    if (model.annotations) {
      const theme = ports.theme();
      const look = { colour: theme.colour("--text-2"), background: theme.colour("--surface"), ratio };
      for (const shape of annotationShapes(model.annotations, box, ports.view(), look))
        paint(ctx, shape, noFill, theme.fontFamily);
    }
    ctx.restore();
    ctx.save();
    drawLanes(u);
    ctx.restore();
  }

  /** Calls `draw` with the visible part of a line, unless it is empty. */
  function drawOne(
    line: PanelLine,
    highlighted: string | null,
    draw: (own: Bins, stepMs: number, ink: Ink) => void,
  ): void {
    const own = content().bins.get(line.stationId);
    if (!line.track || !own || own.n === 0) return;
    const isDimmed = highlighted !== null && highlighted !== line.stationId;
    draw(own, line.track.stepMs, {
      colour: ports.theme().colour(line.colour),
      alpha: isDimmed ? DIMMED_ALPHA : 1,
    });
  }

  function drawLanes(u: uPlot): void {
    const { model, lanes } = content();
    if (model.lines.length < 2) return;
    const canvas = gapCanvas(u);
    const bottom = u.bbox.top + u.bbox.height;
    for (const lane of lanes) {
      const index = lane.stationId === null ? 0 : model.lines.findIndex((l) => l.stationId === lane.stationId);
      if (index < 0) continue;
      const { topPx, heightPx } = laneBox(index, model.lines.length);
      const box = { top: Math.round(bottom + topPx * canvas.ratio), height: Math.round(heightPx * canvas.ratio) };
      const token = lane.stationId === null ? "--text-3" : (model.lines[index]?.colour ?? "--text-3");
      const look = { colour: ports.theme().colour(token), stations: model.gaps.length, nowMs: Date.now() };
      drawLane(canvas, lane, box, look);
    }
  }

  return {
    behind,
    front,
    /** Call after a change of theme. */
    updateTheme(): void {
      fills = null;
    },
  };
}
