import type { TimeRange } from "#shared/time/range.ts";
import { timeTicks } from "../timeTicks.ts";
import { text, textWidth } from "./page.ts";
import type { Shape } from "./scene.ts";

/** Position of the plot, and space for labels to the right of it. */
interface AxisPlace {
  readonly left: number;
  readonly width: number;
  readonly rightRoom: number;
}

/** Minimum distance between labels of a row. */
const LABEL_GAP = 6;

interface Label {
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

/**
 * Draws times below a plot, and their dates in a second row. Labels at both ends are moved inwards, so that they are not
 * cut off and do not overlap “UTC”. Of two overlapping dates, the one of the shorter part of a day is left out.
 *
 * @param foot lower edge of the plot
 */
export function timeLabels(range: TimeRange, place: AxisPlace, foot: number, colour: string): Shape[] {
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
  const row = (labels: readonly Label[], y: number): Shape[] =>
    labels.map(({ from, words }) => text(from, y, words, colour));
  return [
    text(left - 8, foot + 16, "UTC", colour, { anchor: "end" }),
    ...row(times, foot + 16),
    ...row(dates, foot + 32),
  ];
}

/** Centres a label below `x`, limited to the range from `min` to `max`. */
function centred(words: string, x: number, min: number, max: number): Label {
  const width = textWidth(words);
  const from = Math.max(min, Math.min(x - width / 2, max - width));
  return { from, to: from + width, words };
}
