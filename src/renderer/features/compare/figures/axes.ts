import type { Shape } from "#shared/plot/figure/scene.ts";
import { timeLabels } from "#shared/plot/figure/timeAxis.ts";
import { type Box, valueTicks, yOf } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { axisNumber } from "#shared/plot/values.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** A figure of this view, drawn the same on the screen and in a file, at any size. */
export interface Picture {
  readonly id: string;
  readonly title: string;
  /** What a reader has to know: units, signs, exclusions. */
  readonly note: string;
  /** Its content for screen readers. */
  readonly summary: string;
  readonly draw: (width: number, height: number, theme: PlotTheme) => readonly Shape[];
  /** Whether the figure takes more of a row than others; by default, figures over time do. */
  readonly isWide?: boolean;
  /** The values under the cursor, for figures over time. */
  readonly readings?: Readings;
}

/** A station with its name and the index of its colour. */
export interface PlottedStation {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
}

export interface Readings {
  readonly range: TimeRange;
  /** Reads all lines at a time, or at the nearest row within `withinMs`. */
  readonly at: (timeMs: number, withinMs: number) => Reading;
}

export interface Reading {
  readonly timeMs: number;
  /** In the order of the stations; the text is a dash without a value. */
  readonly values: readonly (PlottedStation & { readonly text: string })[];
}

/** Margins left and right of the plot, pixels. */
export const LEFT = 56;
export const RIGHT = 12;
const TOP = 24;
const BOTTOM = 40;
const FONT_PX = 12;
/** Mean width of a letter at that size. */
const LETTER_PX = 7;
/** Minimum distances of ticks. */
const VALUE_TICK_PX = 32;
const NUMBER_TICK_PX = 56;

/** A horizontal axis: of numbers, or of time. */
type HorizontalAxis =
  | { readonly low: number; readonly high: number; readonly label: string; readonly step?: number }
  | { readonly time: TimeRange };

interface Axes {
  readonly box: Box;
  readonly xOf: (value: number) => number;
  readonly shapes: readonly Shape[];
}

/** Width of the plot inside a figure of this width. */
export function plotWidth(width: number): number {
  return Math.max(1, width - LEFT - RIGHT);
}

/** Grid, ticks and labels of a plot of this size, and its coordinates. @param y null for lanes without a value axis */
export function axes(
  width: number,
  height: number,
  x: HorizontalAxis,
  y: { readonly low: number; readonly high: number; readonly label: string } | null,
  theme: PlotTheme,
): Axes {
  const box = {
    left: LEFT,
    top: TOP,
    width: plotWidth(width),
    height: Math.max(1, height - TOP - BOTTOM),
    low: y?.low ?? 0,
    high: y?.high ?? 1,
  };
  const [low, high] = "time" in x ? [x.time.startMs, x.time.endMs] : [x.low, x.high];
  const xOf = (value: number): number => box.left + ((value - low) / (high - low)) * box.width;
  const grid = theme.colour("--line");
  const quiet = theme.colour("--text-2");
  const foot = box.top + box.height;
  const shapes: Shape[] = [];
  if (y) {
    shapes.push(label(8, 14, fittedLabel(y.label, width - 8), quiet));
    const values = valueTicks(y.low, y.high, Math.max(2, box.height / VALUE_TICK_PX));
    for (const value of values.values) {
      const at = yOf(box, value);
      shapes.push(line([box.left, at, box.left + box.width, at], grid));
      shapes.push(label(box.left - 8, at + 4, axisNumber(value, values), quiet, "end"));
    }
  }
  if ("time" in x) {
    for (const { timeMs } of timeTicks(x.time, box.width)) {
      shapes.push(line([xOf(timeMs), box.top, xOf(timeMs), foot], grid));
    }
    shapes.push(...timeLabels(x.time, { left: box.left, width: box.width, rightRoom: RIGHT }, foot, quiet));
    return { box, xOf, shapes };
  }
  for (const { value, words } of numberTicks(x, box.width)) {
    const at = xOf(value);
    shapes.push(line([at, box.top, at, foot], grid));
    shapes.push(tickLabel(box, at, foot + 16, words, quiet));
  }
  shapes.push(label(box.left + box.width / 2, foot + 34, fittedLabel(x.label, box.width), quiet, "middle"));
  return { box, xOf, shapes };
}

/** Characters at the end of the label of an axis that are never left out: its unit. */
const UNIT_LENGTH = 4;

/** Shortens the label of an axis to a width in pixels, but keeps its unit: `A: Llanfair…, mm`. */
function fittedLabel(text: string, width: number): string {
  const most = Math.max(2 * UNIT_LENGTH, Math.floor(width / LETTER_PX));
  if (text.length <= most) return text;
  return `${text.slice(0, most - UNIT_LENGTH - 1)}…${text.slice(-UNIT_LENGTH)}`;
}

/** A label below its tick, shifted where it would leave the plot. */
function tickLabel({ left, width }: Box, at: number, y: number, text: string, colour: string): Shape {
  const half = (text.length * LETTER_PX) / 2;
  if (at - half < left) return label(left, y, text, colour);
  if (at + half > left + width + RIGHT) return label(left + width + RIGHT, y, text, colour, "end");
  return label(at, y, text, colour, "middle");
}

/** Clips shapes to the plot. */
export function clippedTo(box: Box, shapes: readonly Shape[]): Shape {
  return { kind: "clip", x: box.left, y: box.top, width: box.width, height: box.height, shapes };
}

export function line(points: readonly number[], colour: string, width = 1, dash: readonly number[] = []): Shape {
  return { kind: "line", points, colour, width, dash };
}

export function label(
  x: number,
  y: number,
  text: string,
  colour: string,
  anchor: "start" | "middle" | "end" = "start",
): Shape {
  return { kind: "text", x, y, text, size: FONT_PX, weight: 400, anchor, colour };
}

export function rect(x: number, y: number, width: number, height: number, colour: string, opacity = 1): Shape {
  return { kind: "rect", x, y, width, height, colour, opacity };
}

/** A centred message in place of an empty plot. */
export function emptyMessage(width: number, height: number, why: string, theme: PlotTheme): readonly Shape[] {
  return [label(width / 2, height / 2, why, theme.colour("--text-2"), "middle")];
}

interface Tick {
  readonly value: number;
  readonly words: string;
}

function numberTicks({ low, high, step }: Extract<HorizontalAxis, { low: number }>, width: number): Tick[] {
  if (step !== undefined) {
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => {
      const value = low + i * step;
      return { value, words: String(value) };
    });
  }
  const ticks = valueTicks(low, high, Math.max(2, width / NUMBER_TICK_PX));
  return ticks.values.map((value) => ({ value, words: axisNumber(value, ticks) }));
}
