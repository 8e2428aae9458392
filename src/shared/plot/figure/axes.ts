import type { TimeRange } from "#shared/time/range.ts";
import { type Box, valueTicks, valueTickText, yOf } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import { timeTicks } from "../timeTicks.ts";
import { text } from "./page.ts";
import type { Rect, RectShape, VectorShape } from "./scene.ts";
import { timeLabels } from "./timeAxis.ts";

/** Margins left and right of the plot, pixels. */
export const LEFT = 56;
export const RIGHT = 12;
/** Space around a plot for its labels, pixels. */
const ROOM = { left: LEFT, right: RIGHT, top: 24, bottom: 40 };
type Room = Partial<typeof ROOM>;
/** Mean width of a letter. */
const LETTER_PX = 7;
/** Distance between values; low plots have closer ones, so that there are more than one. */
const VALUE_TICK_PX = { min: 16, max: 32 };
const VALUES_PER_PLOT = 6;
const NUMBER_TICK_PX = 56;

interface NumberAxis {
  /** NaN if there is nothing to show: the axis then has no ticks. */
  readonly low: number;
  readonly high: number;
  /** Empty for none. */
  readonly label: string;
  /** Distance of ticks; by default, a round number. */
  readonly step?: number;
  /** Names a tick; by default, its number. */
  readonly nameOf?: (value: number) => string;
}

interface Axes {
  readonly box: Box;
  readonly xOf: (value: number) => number;
  readonly shapes: readonly VectorShape[];
}

/** Width of the plot inside a figure of this width. */
export function plotWidth(width: number): number {
  return Math.max(1, width - LEFT - RIGHT);
}

interface TimeAxis {
  readonly time: TimeRange;
  /** Between the plot and its labels; by default, none. */
  readonly gapPx?: number;
  /** By default, it has. */
  readonly hasLabels?: boolean;
}

/** Size of a figure, and the room around its plot. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly room?: Room;
}

interface AxesSpec extends Frame {
  readonly x: NumberAxis | TimeAxis;
  /** null for lanes without a value axis. */
  readonly y: NumberAxis | null;
  readonly theme: PlotTheme;
}

/** The plot inside a figure. */
export function plotBox({ width, height, room = {} }: Frame): Omit<Box, "low" | "high"> {
  const { left, right, top, bottom } = { ...ROOM, ...room };
  return { left, top, width: Math.max(1, width - left - right), height: Math.max(1, height - top - bottom) };
}

/** Grid, ticks and labels of a plot, and its coordinates. */
export function axes({ width, height, x, y, theme, room = {} }: AxesSpec): Axes {
  const box = { ...plotBox({ width, height, room }), low: y?.low ?? 0, high: y?.high ?? 1 };
  const rightRoom = room.right ?? RIGHT;
  const [low, high] = "time" in x ? [x.time.startMs, x.time.endMs] : [x.low, x.high];
  const xOf = (value: number): number => box.left + ((value - low) / (high - low)) * box.width;
  const grid = theme.colour("--line");
  const quiet = theme.colour("--text-2");
  const foot = box.top + box.height;
  const shapes: VectorShape[] = [];
  if (y) {
    if (y.label !== "") shapes.push(text([8, 14], fittedLabel(y.label, width - 8), quiet));
    for (const { value, words } of ticksOf(y, valuesIn(box.height))) {
      const at = yOf(box, value);
      shapes.push(line([box.left, at, box.left + box.width, at], grid));
      shapes.push(text([box.left - 8, at + 4], words, quiet, { anchor: "end" }));
    }
  }
  if ("time" in x) {
    for (const { timeMs } of timeTicks(x.time, box.width)) {
      shapes.push(line([xOf(timeMs), box.top, xOf(timeMs), foot], grid));
    }
    const place = { left: box.left, width: box.width, rightRoom };
    if (x.hasLabels !== false) shapes.push(...timeLabels(x.time, place, foot + (x.gapPx ?? 0), quiet));
    return { box, xOf, shapes };
  }
  for (const { value, words } of ticksOf(x, box.width / NUMBER_TICK_PX)) {
    const at = xOf(value);
    shapes.push(line([at, box.top, at, foot], grid));
    shapes.push(tickLabel(box, [at, foot + 16], words, quiet));
  }
  const middle = [box.left + box.width / 2, foot + 34] as const;
  if (x.label !== "") shapes.push(text(middle, fittedLabel(x.label, box.width), quiet, { anchor: "middle" }));
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
function tickLabel(
  { left, width }: Box,
  [at, y]: readonly [x: number, y: number],
  words: string,
  colour: string,
): VectorShape {
  const half = (words.length * LETTER_PX) / 2;
  if (at - half < left) return text([left, y], words, colour);
  if (at + half > left + width + RIGHT) return text([left + width + RIGHT, y], words, colour, { anchor: "end" });
  return text([at, y], words, colour, { anchor: "middle" });
}

/** Clips shapes to the plot. */
export function clippedTo(box: Omit<Box, "low" | "high">, shapes: readonly VectorShape[]): VectorShape {
  return { kind: "clip", x: box.left, y: box.top, width: box.width, height: box.height, shapes };
}

export function line(points: readonly number[], colour: string, width = 1, dash: readonly number[] = []): VectorShape {
  return { kind: "line", points, colour, width, dash };
}

export function rect(box: Rect, colour: string, opacity = 1): RectShape {
  return { kind: "rect", ...box, colour, opacity };
}

/** A centred message in place of an empty plot. */
export function emptyMessage(width: number, height: number, why: string, theme: PlotTheme): readonly VectorShape[] {
  return [text([width / 2, height / 2], why, theme.colour("--text-2"), { anchor: "middle" })];
}

/** Returns how many values an axis of this height, in pixels, may name. */
export function valuesIn(height: number): number {
  const { min, max } = VALUE_TICK_PX;
  return Math.max(2, height / Math.min(max, Math.max(min, height / VALUES_PER_PLOT)));
}

interface Tick {
  readonly value: number;
  readonly words: string;
}

function ticksOf({ low, high, step, nameOf }: NumberAxis, most: number): Tick[] {
  const ticks =
    step === undefined
      ? valueTicks(low, high, Math.max(2, most))
      : { values: Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step), decimals: 0 };
  return ticks.values.map((value) => ({ value, words: nameOf?.(value) ?? valueTickText(value, ticks) }));
}
