import type uPlot from "uplot";
import { LEFT, RIGHT, valuesIn } from "#shared/plot/figure/axes.ts";
import { panelShapes, TIME_AXIS_HEIGHT } from "#shared/plot/figure/panelShapes.ts";
import type { ImageShape, VectorShape } from "#shared/plot/figure/scene.ts";
import { laneAreaPx, laneBox, segmentAt } from "#shared/plot/lanes.ts";
import { allLines, type GapUnder, lanedLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import { PanelContent } from "#shared/plot/panelContent.ts";
import { type Box, valueTicks, valueTickText } from "#shared/plot/scale.ts";
import { timeTicks, type TimeTick } from "#shared/plot/timeTicks.ts";
import { nearestLine } from "./nearest.ts";
import { type Area, BLANK_AXIS, type Drawing, type PanelLook, type PanelState, plotOf } from "./drawing.ts";
import { createLineLayer } from "./lineLayer.ts";

const BOTTOM_PX = 4;
/** Half the width of the longest time of day and of the longest date, CSS pixels. */
const HALF_LABEL_PX = 26;
const HALF_CONTEXT_PX = 34;
/** Distance from the pointer within which a line is pointed at. */
const LINE_REACH_PX = 16;
const LINE_PX = 1.25;
/**
 * With more points, lines are a pixel wide: thicker ones take ten times as long and show no more. On screens of twice the
 * resolution, they are two pixels wide and drawn as such, because strokes take six times as long there.
 */
const MAX_THICK_POINTS = 400;

interface Raster {
  readonly box: Box;
  readonly ratio: number;
  readonly areStrokes: boolean;
}

/** Lines of stations over time, with their gaps. */
export class LineDrawing extends PanelContent implements Drawing<PanelModel> {
  readonly padding: uPlot.Padding = [8, RIGHT, 0, 0];
  readonly #layer = createLineLayer();

  isComplete(): boolean {
    return allLines(this.model).every((line) => line.track !== null);
  }

  drawnLines(): number {
    return allLines(this.model).filter((line) => line.track !== null).length;
  }

  axes({ view, theme }: PanelState): uPlot.Axis[] {
    const look: uPlot.Axis = {
      stroke: () => theme().colour("--text-2"),
      font: `12px ${theme().fontFamily}`,
      grid: { stroke: () => theme().colour("--line"), width: 1 },
      ticks: BLANK_AXIS.ticks,
    };
    const timesIn = (u: uPlot): TimeTick[] => timeTicks(view(), plotOf(u).width);
    const ticksIn = (u: uPlot) => valueTicks(...this.bounds, valuesIn(plotOf(u).height));
    const lanesPx = (): number => laneAreaPx(lanedLines(this.model).length);
    return [
      // The lanes of gaps are between the plot and its times.
      { ...BLANK_AXIS, scale: "x", side: 2, size: () => lanesPx() + (this.model.hasTimeAxis ? 0 : BOTTOM_PX) },
      {
        ...look,
        scale: "x",
        side: 2,
        gap: 4,
        size: () => (this.model.hasTimeAxis ? TIME_AXIS_HEIGHT : 0),
        splits: (u) => timesIn(u).map(({ timeMs }) => timeMs),
        values: (u) => (this.model.hasTimeAxis ? timesIn(u).map((tick) => timeLabel(tick, u)) : []),
      },
      {
        ...look,
        scale: "y",
        side: 3,
        gap: 6,
        size: LEFT,
        splits: (u) => [...ticksIn(u).values],
        values: (u) => {
          const ticks = ticksIn(u);
          return ticks.values.map((value) => valueTickText(value, ticks));
        },
      },
    ];
  }

  shapes({ plot, view, theme, highlighted, ratio }: PanelLook): (VectorShape | ImageShape)[] {
    const points = [...this.bins.values()].reduce((sum, { n }) => sum + n, 0);
    const isThick = points < MAX_THICK_POINTS;
    const areStrokes = isThick || ratio < 2;
    const [low, high] = this.bounds;
    return panelShapes<VectorShape | ImageShape>(
      this,
      { ...plot, low, high },
      {
        view,
        theme,
        highlighted,
        nowMs: Date.now(),
        lineWidth: isThick ? LINE_PX : areStrokes ? 1 / ratio : null,
        bandsOf: (_, box, lines, colourOf) => [this.#bands({ box, ratio, areStrokes }, lines, colourOf)],
      },
    );
  }

  /** Raw rows, ranges, standard deviations and lines that are drawn as pixels, in pixels of the screen. */
  #bands(
    { box, ratio, areStrokes }: Raster,
    lines: readonly PanelLine[],
    colourOf: (line: PanelLine) => string,
  ): ImageShape {
    const [width, height] = [box.width, box.height].map((length) => Math.max(1, Math.round(length * ratio)));
    const layer = { ...box, left: 0, top: 0, width: width!, height: height! };
    this.#layer.begin(layer.width, layer.height);
    for (const line of lines) {
      const raw = line.rejected && this.rawBins.get(line.stationId);
      if (raw && raw.n > 0) this.#layer.addRaw(raw, layer, colourOf(line), ratio);
    }
    const binned = lines.flatMap((line) => {
      const bins = this.bins.get(line.stationId);
      if (!line.track || !bins || bins.n === 0) return [];
      return [{ line: { bins, stepMs: line.track.stepMs, box: layer }, colour: colourOf(line), dash: line.dash }];
    });
    for (const { line, colour } of binned) this.#layer.add(line, colour);
    for (const { line, colour, dash } of binned)
      if (!areStrokes && dash.length === 0) this.#layer.addLine(line, colour, Math.floor(ratio));
    const { left: x, top: y } = box;
    const paint = (canvas: object): void =>
      this.#layer.paint(canvas as CanvasRenderingContext2D, layer.width / ratio, layer.height / ratio);
    return { kind: "image", x, y, width: box.width, height: box.height, paint };
  }

  /** Of one line, which needs no name, none. */
  stationAt(point: { readonly x: number; readonly y: number }, { width, height }: Area): string | null {
    const [low, high] = this.bounds;
    if (allLines(this.model).length < 2 || Number.isNaN(low)) return null;
    return nearestLine(this.bins, point, { left: 0, top: 0, width, height, low, high }, LINE_REACH_PX);
  }

  gapAt(momentMs: number, withinMs: number, { y }: { readonly y: number }, { height }: Area): GapUnder | null {
    const lines = lanedLines(this.model);
    const belowPx = y - height;
    const lane = this.lanes.find(({ stationId }) => {
      if (lines.length <= 1) return belowPx <= 0;
      const index = stationId === null ? 0 : lines.findIndex((line) => line.stationId === stationId);
      const { topPx, heightPx } = laneBox(index, lines.length);
      return belowPx >= topPx - 1 && belowPx < topPx + heightPx + 1;
    });
    const piece = lane && segmentAt(lane.segments, momentMs, withinMs);
    return piece ? { ...piece, stationId: lane.stationId } : null;
  }

  rowOf(): null {
    return null;
  }
}

/** The two-line label of a tick, without texts that would be cut off at the right edge. */
function timeLabel({ timeMs, label, context }: TimeTick, u: uPlot): string {
  const spacePx = plotOf(u).width + RIGHT - u.valToPos(timeMs, "x");
  const shownContext = spacePx < HALF_CONTEXT_PX ? "" : (context ?? "");
  return `${spacePx < HALF_LABEL_PX ? "" : label}\n${shownContext}`;
}
