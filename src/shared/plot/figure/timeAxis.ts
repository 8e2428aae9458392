import type { TimeRange } from "#shared/time/range.ts";
import { timeTicks } from "../timeTicks.ts";
import { text } from "./page.ts";
import type { VectorShape } from "./scene.ts";

/** Position of the plot, and space for labels to the right of it. */
interface AxisPlace {
  readonly left: number;
  readonly width: number;
  readonly rightRoom: number;
}

/** Minimum distance between labels of a row. */
const LABEL_GAP = 6;

/** Width of a digit relative to the font size: more than that of a letter where all digits are equally wide, as in the window. */
const DIGIT = 0.67;
const FONT = 12;

interface Label {
  /** Where it may reach, by estimate. */
  readonly from: number;
  readonly to: number;
  /** Where it is anchored, so that a wrong estimate moves no label from its tick or beyond the end of the axis. */
  readonly x: number;
  readonly anchor: "start" | "middle" | "end";
  readonly words: string;
}

/**
 * Draws times below a plot, and their dates in a second row. Labels at both ends are moved inwards, so that they are not
 * cut off and do not overlap “UTC”. Of two overlapping dates, the one of the shorter part of a day is left out.
 *
 * @param foot lower edge of the plot
 */
export function timeLabels(range: TimeRange, place: AxisPlace, foot: number, colour: string): VectorShape[] {
  const { left, width, rightRoom } = place;
  const times: Label[] = [];
  const dates: Label[] = [];
  for (const { timeMs, label, context } of timeTicks(range, width)) {
    const x = left + ((timeMs - range.startMs) / (range.endMs - range.startMs)) * width;
    const time = centred(label, x, left, left + width + rightRoom);
    if (time.from >= (times.at(-1)?.to ?? -Infinity) + LABEL_GAP) times.push(time);
    if (context === null) continue;
    const date = centred(context, x, left, left + width + rightRoom);
    const overlaps = date.from < (dates.at(-1)?.to ?? -Infinity) + LABEL_GAP;
    if (overlaps && dates.length > 1) continue;
    if (overlaps) dates.pop();
    dates.push(date);
  }
  const row = (labels: readonly Label[], y: number): VectorShape[] =>
    labels.map(({ x, anchor, words }) => text([x, y], words, colour, { anchor }));
  return [
    text([left - 8, foot + 16], "UTC", colour, { anchor: "end" }),
    ...row(times, foot + 16),
    ...row(dates, foot + 32),
  ];
}

/** Centres a label below `x`, limited to the range from `min` to `max`. */
function centred(words: string, x: number, min: number, max: number): Label {
  const width = words.length * FONT * DIGIT;
  if (x - width / 2 < min) return { from: min, to: min + width, x: min, anchor: "start", words };
  if (x + width / 2 > max) return { from: max - width, to: max, x: max, anchor: "end", words };
  return { from: x - width / 2, to: x + width / 2, x, anchor: "middle", words };
}
