import uPlot from "uplot";
import type { TimeRange } from "#shared/time/range.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { timeTicks, type TimeTick } from "#shared/plot/timeTicks.ts";
import { type ValueTicks, valueTicks } from "#shared/plot/valueTicks.ts";
import { decimal } from "#shared/text.ts";

export const AXIS_LEFT_PX = 56;
export const AXIS_TIME_PX = 36;
const PADDING_PX = { top: 8, right: 12, bottom: 4 };
/** Between ticks of values: a low panel has closer ones, or it would have one alone. */
const VALUE_SPACE_PX = { least: 16, most: 32 };
const VALUE_TICKS = 6;
const NO_TICKS = { show: false } as const;

/** What a panel asks for whenever it is drawn. */
export interface PanelState {
  readonly view: () => TimeRange;
  /** NaN where there is nothing to show: the axis then says nothing. */
  readonly limits: () => readonly [number, number];
  readonly theme: () => PlotTheme;
}

export interface PanelOptions {
  readonly width: number;
  readonly height: number;
  /** Room for lanes of gaps below the plot; 0 for none. */
  readonly lanesPx: number;
  readonly hasTimeAxis: boolean;
  /** Panels with the same key share their cursor. */
  readonly syncKey: string;
  readonly hooks: uPlot.Hooks.Arrays;
}

/**
 * uPlot's part of a panel: axes, grid, scales and the cursor. Series are drawn by hooks from our own arrays: each has
 * times of its own, which uPlot's one common axis of data cannot say.
 */
export function panelOptions(state: PanelState, options: PanelOptions): uPlot.Options {
  const { width, height, lanesPx, hasTimeAxis, syncKey, hooks } = options;
  const line = (): string => state.theme().colour("--line");
  const text = (): string => state.theme().colour("--text-2");
  const font = `12px ${state.theme().fontFamily}`;
  const grid = { stroke: line, width: 1 };
  const moments = timeAxis(state);
  const values = valueAxis(state);
  return {
    width,
    height,
    pxAlign: 1,
    padding: [PADDING_PX.top, PADDING_PX.right, hasTimeAxis ? 0 : PADDING_PX.bottom, 0],
    series: [{}],
    legend: { show: false },
    select: { show: true, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: () => [state.view().startMs, state.view().endMs] },
      y: { range: () => (Number.isNaN(state.limits()[0]) ? [0, 1] : ([...state.limits()] as [number, number])) },
    },
    axes: [
      // Gap lanes lie between the plot and the labels of the time axis: an axis that shows nothing keeps their place.
      {
        show: lanesPx > 0,
        scale: "x",
        side: 2,
        size: lanesPx,
        splits: () => [],
        values: () => [],
        ticks: NO_TICKS,
        grid: NO_TICKS,
      },
      {
        scale: "x",
        side: 2,
        size: hasTimeAxis ? AXIS_TIME_PX : 0,
        stroke: text,
        font,
        grid,
        ticks: NO_TICKS,
        gap: 4,
        splits: (u) => moments(u).map((tick) => tick.timeMs),
        values: (u) => (hasTimeAxis ? moments(u).map((tick) => tickText(tick, u)) : []),
      },
      {
        scale: "y",
        side: 3,
        size: AXIS_LEFT_PX,
        stroke: text,
        font,
        grid,
        ticks: NO_TICKS,
        gap: 6,
        splits: (u) => [...values(u).values],
        values: (u) => values(u).values.map((value) => decimal(value, values(u).decimals)),
      },
    ],
    cursor: {
      x: true,
      y: false,
      points: { show: false },
      drag: { x: false, y: false, setScale: false },
      sync: { key: syncKey, setSeries: false },
      bind: { mousedown: never, mouseup: never, click: never, dblclick: never },
    },
    hooks,
  };
}

/** Takes uPlot's own listeners away. */
function never(): null {
  return null;
}

/** uPlot asks for ticks several times a frame: they are made once for the same view and width. */
function timeAxis(state: PanelState): (u: uPlot) => readonly TimeTick[] {
  let made: readonly TimeTick[] = [];
  let key = "";
  return (u) => {
    const view = state.view();
    const widthPx = plotWidthPx(u);
    const now = `${view.startMs} ${view.endMs} ${widthPx}`;
    if (now !== key) made = timeTicks(view, widthPx);
    key = now;
    return made;
  };
}

function valueAxis(state: PanelState): (u: uPlot) => ValueTicks {
  let made: ValueTicks = { values: [], decimals: 0 };
  let key = "";
  return (u) => {
    const [low, high] = state.limits();
    const heightPx = plotHeightPx(u);
    const now = `${low} ${high} ${heightPx}`;
    const { least, most } = VALUE_SPACE_PX;
    const spacePx = Math.min(most, Math.max(least, heightPx / VALUE_TICKS));
    if (now !== key) made = valueTicks(low, high, Math.max(2, heightPx / spacePx));
    key = now;
    return made;
  };
}

/** As it is to be: the element follows a new size only after the labels are made. */
function plotWidthPx(u: uPlot): number {
  return u.bbox.width / uPlot.pxRatio || u.width - AXIS_LEFT_PX;
}

function plotHeightPx(u: uPlot): number {
  return u.bbox.height / uPlot.pxRatio || u.height - AXIS_TIME_PX;
}

/** Half of what the longest time of day, and the longest date, take. CSS pixels. */
const HALF_LABEL_PX = 26;
const HALF_CONTEXT_PX = 34;

/** The words at a tick; those that would be cut off at the right edge are left out. */
function tickText({ timeMs, label, context }: TimeTick, u: uPlot): string {
  const roomPx = plotWidthPx(u) + PADDING_PX.right - u.valToPos(timeMs, "x");
  const shownContext = roomPx < HALF_CONTEXT_PX ? "" : (context ?? "");
  return `${roomPx < HALF_LABEL_PX ? "" : label}\n${shownContext}`;
}
