import type { TimeRange } from "#shared/time/range.ts";
import { type Box, valueTicks, yOf } from "../scale.ts";
import type { PlotTheme } from "../theme.ts";
import { timeTicks } from "../timeTicks.ts";
import { axisNumber } from "../values.ts";
import { text } from "./page.ts";
import type { RectShape, VectorShape } from "./scene.ts";
import { timeLabels } from "./timeAxis.ts";

/** Margins left and right of the plot, pixels. */
export const LEFT = 56;
export const RIGHT = 12;
const TOP = 24;
const BOTTOM = 40;
/** Mean width of a letter. */
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
  readonly shapes: readonly VectorShape[];
}

/** Width of the plot inside a figure of this width. */
export function plotWidth(width: number): number {
  return Math.max(1, width - LEFT - RIGHT);
}

interface AxesSpec {
  /** Size of the figure. */
  readonly width: number;
  readonly height: number;
  readonly x: HorizontalAxis;
  /** null for lanes without a value axis. */
  readonly y: { readonly low: number; readonly high: number; readonly label: string } | null;
  readonly theme: PlotTheme;
}

/** Grid, ticks and labels of a plot, and its coordinates. */
export function axes({ width, height, x, y, theme }: AxesSpec): Axes {
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
  const shapes: VectorShape[] = [];
  if (y) {
    shapes.push(text([8, 14], fittedLabel(y.label, width - 8), quiet));
    const values = valueTicks(y.low, y.high, Math.max(2, box.height / VALUE_TICK_PX));
    for (const value of values.values) {
      const at = yOf(box, value);
      shapes.push(line([box.left, at, box.left + box.width, at], grid));
      shapes.push(text([box.left - 8, at + 4], axisNumber(value, values), quiet, { anchor: "end" }));
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
    shapes.push(tickLabel(box, [at, foot + 16], words, quiet));
  }
  shapes.push(
    text([box.left + box.width / 2, foot + 34], fittedLabel(x.label, box.width), quiet, { anchor: "middle" }),
  );
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
export function clippedTo(box: Box, shapes: readonly VectorShape[]): VectorShape {
  return { kind: "clip", x: box.left, y: box.top, width: box.width, height: box.height, shapes };
}

export function line(points: readonly number[], colour: string, width = 1, dash: readonly number[] = []): VectorShape {
  return { kind: "line", points, colour, width, dash };
}

export function rect(box: Omit<RectShape, "kind" | "colour" | "opacity">, colour: string, opacity = 1): RectShape {
  return { kind: "rect", ...box, colour, opacity };
}

/** A filled circle. */
export function disc(x: number, y: number, radius: number, colour: string): VectorShape {
  const points = Array.from({ length: 24 }, (_, i) => (i * Math.PI) / 12);
  return {
    kind: "area",
    points: points.flatMap((angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]),
    colour,
    opacity: 1,
  };
}

/** A centred message in place of an empty plot. */
export function emptyMessage(width: number, height: number, why: string, theme: PlotTheme): readonly VectorShape[] {
  return [text([width / 2, height / 2], why, theme.colour("--text-2"), { anchor: "middle" })];
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
