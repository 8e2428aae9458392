import uPlot from "uplot";
import type { TimeRange } from "#shared/time/range.ts";
import type { Bins } from "#shared/plot/bins.ts";
import { drawLine } from "./draw.ts";
import { drawGapWords, drawLane, drawPanelGaps, type GapCanvas } from "./drawGaps.ts";
import { hatchFills, type HatchFills } from "./hatch.ts";
import { type Lane, laneBox } from "#shared/plot/lanes.ts";
import { allLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import { createRangeLayer } from "./rangeLayer.ts";
import { hatchOpacity, RAW_POINT_PX } from "#shared/plot/rawMarks.ts";
import type { Box } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";

/** What of a panel is drawn, as far as it is in sight. */
export interface Picture {
  readonly model: PanelModel;
  /** Lowest and highest value of the axis. */
  readonly limits: readonly [number, number];
  readonly lanes: readonly Lane[];
  /** By station; the raw rows behind the lines likewise. */
  readonly bins: ReadonlyMap<string, Bins>;
  readonly rawBins: ReadonlyMap<string, Bins>;
}

export interface PainterPorts {
  readonly view: () => TimeRange;
  readonly theme: () => PlotTheme;
  readonly highlighted: () => string | null;
}

/** Draws a panel into uPlot's canvas: what lies behind its grid, and what before. */
export interface Painter {
  behind(u: uPlot): void;
  front(u: uPlot): void;
  /** After a change of theme. */
  retheme(): void;
}

const LINE_PX = 1.25;
/** Lines of more marks are a pixel wide: thicker ones take ten times as long, and show nothing more. */
const FEW_MARKS = 400;
/** Of lines that stand back while another one is looked at. */
const BACK_ALPHA = 0.22;

export function createPainter(ports: PainterPorts, picture: () => Picture): Painter {
  const ranges = createRangeLayer();
  let fills: HatchFills | null = null;

  function gapCanvas(u: uPlot): GapCanvas {
    fills ??= hatchFills(u.ctx, ports.theme().colour, uPlot.pxRatio);
    return { ctx: u.ctx, view: ports.view(), fills, left: u.bbox.left, width: u.bbox.width, ratio: uPlot.pxRatio };
  }

  function behind(u: uPlot): void {
    const { model, lanes } = picture();
    if (model.lines.length !== 1) return;
    u.ctx.save();
    const hasRaw = model.lines[0]?.behind !== null;
    drawPanelGaps(gapCanvas(u), lanes[0]?.pieces ?? [], u.bbox, (cause) => hatchOpacity(cause, hasRaw));
    u.ctx.restore();
  }

  function drawWords(u: uPlot): void {
    const { model, lanes } = picture();
    if (model.lines.length !== 1) return;
    const theme = ports.theme();
    drawGapWords(gapCanvas(u), lanes[0]?.pieces ?? [], u.bbox.top, {
      colour: theme.colour("--text-2"),
      ground: theme.colour("--surface"),
      fontFamily: theme.fontFamily,
    });
  }

  function front(u: uPlot): void {
    const { ctx, bbox } = u;
    const { model, limits, bins, rawBins } = picture();
    const [low, high] = limits;
    const box: Box = { ...bbox, low, high };
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    drawWords(u);
    const looked = ports.highlighted();
    const all = allLines(model);
    const ordered = looked === null ? all : all.toSorted((a, b) => rank(a, looked) - rank(b, looked));
    ranges.begin(Math.max(1, Math.round(bbox.width)), Math.max(1, Math.round(bbox.height)));
    const layerBox = { ...box, left: 0, top: 0 };
    for (const { stationId, behind, colour } of ordered) {
      const of = rawBins.get(stationId);
      if (!behind || !of || of.n === 0) continue;
      const alpha = looked !== null && looked !== stationId ? BACK_ALPHA : 1;
      ranges.addRaw(of, layerBox, ports.theme().colour(colour), alpha, Math.round(RAW_POINT_PX * uPlot.pxRatio));
    }
    for (const line of ordered)
      drawOne(line, looked, (of, stepMs, colour, alpha) => ranges.add(of, stepMs, layerBox, colour, alpha));
    ranges.paint(ctx, Math.round(bbox.left), Math.round(bbox.top));
    const marks = all.reduce((n, line) => n + (bins.get(line.stationId)?.n ?? 0), 0);
    const ratio = uPlot.pxRatio;
    const width = marks < FEW_MARKS ? LINE_PX * ratio : Math.max(1, Math.floor(ratio));
    for (const line of ordered) {
      const dash = line.dash.map((px) => px * ratio);
      drawOne(line, looked, (of, stepMs, colour, alpha) =>
        drawLine(ctx, of, stepMs, box, { colour, dash, width, alpha }),
      );
    }
    ctx.restore();
    ctx.save();
    drawLanes(u);
    ctx.restore();
  }

  /** Gives what is drawn of a line, where there is anything. */
  function drawOne(
    line: PanelLine,
    looked: string | null,
    draw: (of: Bins, stepMs: number, colour: string, alpha: number) => void,
  ): void {
    const of = picture().bins.get(line.stationId);
    if (!line.track || !of || of.n === 0) return;
    const isBack = looked !== null && looked !== line.stationId;
    draw(of, line.track.stepMs, ports.theme().colour(line.colour), isBack ? BACK_ALPHA : 1);
  }

  function drawLanes(u: uPlot): void {
    const { model, lanes } = picture();
    if (model.lines.length < 2) return;
    const canvas = gapCanvas(u);
    const foot = u.bbox.top + u.bbox.height;
    for (const lane of lanes) {
      const index = lane.stationId === null ? 0 : model.lines.findIndex((l) => l.stationId === lane.stationId);
      if (index < 0) continue;
      const { topPx, heightPx } = laneBox(index, model.lines.length);
      const box = { top: Math.round(foot + topPx * canvas.ratio), height: Math.round(heightPx * canvas.ratio) };
      const token = lane.stationId === null ? "--text-3" : model.lines[index]!.colour;
      drawLane(canvas, lane, box, ports.theme().colour(token), model.gaps.length, Date.now());
    }
  }

  return {
    behind,
    front,
    retheme() {
      fills = null;
    },
  };
}

/** Drawn last where it is looked at. */
function rank(line: PanelLine, looked: string): number {
  return line.stationId === looked ? 1 : 0;
}
