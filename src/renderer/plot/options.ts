import uPlot from "uplot";
import type { TimeRange } from "#shared/time/range.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { timeTicks, type TimeTick } from "#shared/plot/timeTicks.ts";
import { valueTickText, type ValueTicks, valueTicks } from "#shared/plot/scale.ts";

export const AXIS_LEFT_PX = 56;
export const AXIS_TIME_PX = 36;
const PADDING_PX = { top: 8, right: 12, bottom: 4 };
/** Distance between ticks of the value axis; low panels have closer ticks, so that there is more than one. */
const TICK_DISTANCE_PX = { min: 16, max: 32 };
const TICKS_PER_PANEL = 6;
const NO_TICKS = { show: false } as const;

/** State that a panel reads whenever it is drawn. */
interface PanelState {
  readonly view: () => TimeRange;
  /** NaN if there is nothing to show: the axis then has no labels. */
  readonly bounds: () => readonly [number, number];
  readonly theme: () => PlotTheme;
}

interface PanelOptions {
  readonly width: number;
  readonly height: number;
  /** Height of the gap lanes below the plot; 0 for none. */
  readonly lanesPx: number;
  readonly hasTimeAxis: boolean;
  /** Panels with the same key share their cursor. */
  readonly syncKey: string;
  readonly hooks: uPlot.Hooks.Arrays;
}

/**
 * Returns uPlot's options of a panel: axes, grid, scales and cursor. Hooks draw the series, because each series has its own
 * times, whereas uPlot requires a common array of times.
 */
export function panelOptions(state: PanelState, options: PanelOptions): uPlot.Options {
  const { width, height, lanesPx, hasTimeAxis, syncKey, hooks } = options;
  const line = (): string => state.theme().colour("--line");
  const text = (): string => state.theme().colour("--text-2");
  const font = `12px ${state.theme().fontFamily}`;
  const grid = { stroke: line, width: 1 };
  const timeTicksOf = timeAxis(state);
  const valueTicksOf = valueAxis(state);
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
      y: { range: () => (Number.isNaN(state.bounds()[0]) ? [0, 1] : ([...state.bounds()] as [number, number])) },
    },
    axes: [
      // An empty axis reserves space for the gap lanes between the plot and the labels of the time axis.
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
        splits: (u) => timeTicksOf(u).map((tick) => tick.timeMs),
        values: (u) => (hasTimeAxis ? timeTicksOf(u).map((tick) => tickText(tick, u)) : []),
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
        splits: (u) => [...valueTicksOf(u).values],
        values(u) {
          const ticks = valueTicksOf(u);
          return ticks.values.map((value) => valueTickText(value, ticks));
        },
      },
    ],
    cursor: {
      x: true,
      y: false,
      points: { show: false },
      drag: { x: false, y: false, setScale: false },
      sync: { key: syncKey, setSeries: false },
      bind: { mousedown: noListener, mouseup: noListener, click: noListener, dblclick: noListener },
    },
    hooks,
  };
}

/** Disables a listener of uPlot. */
function noListener(): null {
  return null;
}

/** Caches the ticks of a view and width, because uPlot requests them several times per frame. */
function timeAxis(state: PanelState): (u: uPlot) => readonly TimeTick[] {
  let ticks: readonly TimeTick[] = [];
  let key = "";
  return (u) => {
    const view = state.view();
    const widthPx = plotWidthPx(u);
    const newKey = `${view.startMs} ${view.endMs} ${widthPx}`;
    if (newKey !== key) ticks = timeTicks(view, widthPx);
    key = newKey;
    return ticks;
  };
}

function valueAxis(state: PanelState): (u: uPlot) => ValueTicks {
  let ticks: ValueTicks = { values: [], decimals: 0 };
  let key = "";
  return (u) => {
    const [low, high] = state.bounds();
    const heightPx = plotHeightPx(u);
    const newKey = `${low} ${high} ${heightPx}`;
    const { min, max } = TICK_DISTANCE_PX;
    const distancePx = Math.min(max, Math.max(min, heightPx / TICKS_PER_PANEL));
    if (newKey !== key) ticks = valueTicks(low, high, Math.max(2, heightPx / distancePx));
    key = newKey;
    return ticks;
  };
}

/** The new size, because the element is resized only after the labels are made. */
function plotWidthPx(u: uPlot): number {
  return u.bbox.width / uPlot.pxRatio || u.width - AXIS_LEFT_PX;
}

function plotHeightPx(u: uPlot): number {
  return u.bbox.height / uPlot.pxRatio || u.height - AXIS_TIME_PX;
}

/** Half the width of the longest time of day and of the longest date, CSS pixels. */
const HALF_LABEL_PX = 26;
const HALF_CONTEXT_PX = 34;

/** Returns the two-line label of a tick, without texts that would be cut off at the right edge. */
function tickText({ timeMs, label, context }: TimeTick, u: uPlot): string {
  const spacePx = plotWidthPx(u) + PADDING_PX.right - u.valToPos(timeMs, "x");
  const shownContext = spacePx < HALF_CONTEXT_PX ? "" : (context ?? "");
  return `${spacePx < HALF_LABEL_PX ? "" : label}\n${shownContext}`;
}
