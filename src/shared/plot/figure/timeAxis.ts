import type { TimeRange } from "#shared/time/range.ts";
import { timeTicks } from "../timeTicks.ts";
import { text, textWidth } from "./page.ts";
import type { Shape } from "./scene.ts";

/** Where the plot lies, and how far right of it labels may reach. */
export interface AxisPlace {
  readonly left: number;
  readonly width: number;
  readonly rightRoom: number;
}

/** Between labels of a row. */
const APART = 6;

interface Placed {
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

/**
 * Times below a plot, and the dates that they are of in a second row. At both ends they are moved inwards, so that none
 * is cut off or lies on “UTC”; where two dates would meet, that of the shorter part of a day is left out.
 *
 * @param foot of the plot
 */
export function timeLabels(range: TimeRange, place: AxisPlace, foot: number, colour: string): Shape[] {
  const { left, width, rightRoom } = place;
  const times: Placed[] = [];
  const dates: Placed[] = [];
  for (const { timeMs, label, context } of timeTicks(range, width)) {
    const x = left + ((timeMs - range.startMs) / (range.endMs - range.startMs)) * width;
    const time = placed(label, x, left, left + width + rightRoom);
    if (time.from >= (times.at(-1)?.to ?? -Infinity) + APART) times.push(time);
    if (context === null) continue;
    const date = placed(context, x, left, left + width + rightRoom);
    const isOver = date.from < (dates.at(-1)?.to ?? -Infinity) + APART;
    if (isOver && dates.length > 1) continue;
    if (isOver) dates.pop();
    dates.push(date);
  }
  const row = (labels: readonly Placed[], y: number): Shape[] =>
    labels.map(({ from, words }) => text(from, y, words, colour));
  return [
    text(left - 8, foot + 16, "UTC", colour, { anchor: "end" }),
    ...row(times, foot + 16),
    ...row(dates, foot + 32),
  ];
}

/** A label centred below `x`, moved as far as it takes to stay between the ends. */
function placed(words: string, x: number, least: number, most: number): Placed {
  const width = textWidth(words);
  const from = Math.max(least, Math.min(x - width / 2, most - width));
  return { from, to: from + width, words };
}
