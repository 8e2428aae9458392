import uPlot from "uplot";
import type { Shape } from "#shared/plot/figure/scene.ts";
import type { GapUnder } from "#shared/plot/panel.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** What a panel reads whenever it is drawn. */
export interface PanelState {
  readonly view: () => TimeRange;
  readonly theme: () => PlotTheme;
}

/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a panel draws, and what is at a point of its plot. Points are in CSS pixels from the corner of the plot. */
export interface Drawing<Model> {
  /** Ends of the value axis; NaN if there is nothing to show: the axis then has no labels. */
  readonly bounds: readonly [number, number];
  readonly padding: uPlot.Padding;
  axes(state: PanelState): uPlot.Axis[];
  setModel(model: Model): void;
  /** Whether all lines are loaded. */
  isComplete(): boolean;
  /** The number of lines with data. */
  drawnLines(): number;
  /** Call before drawing. @param widthPx of the plot, in pixels of the screen */
  prepare(view: TimeRange, widthPx: number): void;
  /** Draws what is inside the axes. */
  shapes(look: PanelLook): readonly Shape[];
  /** The station of a line or row at a point. */
  stationAt(point: Point, plot: Area): string | null;
  /** @param withinMs tolerance around narrow gaps @param point may be below the plot */
  gapAt(momentMs: number, withinMs: number, point: Point, plot: Area): GapUnder | null;
  /** The row of a station; null if stations have none, or this one. */
  rowOf(stationId: string | null, plot: Area): Area | null;
}

export interface PanelLook {
  readonly size: Size;
  readonly plot: Area;
  readonly view: TimeRange;
  readonly theme: PlotTheme;
  readonly highlighted: string | null;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** Reserves room beside the plot. */
export const BLANK_AXIS = {
  splits: () => [],
  values: () => [],
  ticks: { show: false },
  grid: { show: false },
} satisfies uPlot.Axis;

/** The area inside the axes. */
export function plotOf({ bbox }: uPlot): Area {
  const ratio = uPlot.pxRatio;
  return { left: bbox.left / ratio, top: bbox.top / ratio, width: bbox.width / ratio, height: bbox.height / ratio };
}
