import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { SECOND_MS, type UtcMs } from "#shared/time/utc.ts";
import { addMonths, within } from "#shared/time/typed.ts";

const SHORTEST_MS = 10 * SECOND_MS;

/** The range before (-1) or after (1), as long as this one; whole months step by whole months. */
export function stepRange(range: TimeRange, direction: 1 | -1): TimeRange {
  const months = wholeMonths(range);
  const move = (moment: UtcMs): UtcMs =>
    months === 0 ? moment + direction * durationMs(range) : addMonths(moment, direction * months);
  return checked({ startMs: move(range.startMs), endMs: move(range.endMs) }, range);
}

/** Longer (factor above 1) or shorter around the same middle, in whole seconds, never shorter than ten. */
export function zoomRange(range: TimeRange, factor: number): TimeRange {
  const middle = range.startMs + durationMs(range) / 2;
  const half = Math.max(SHORTEST_MS, durationMs(range) * factor) / 2;
  return checked({ startMs: wholeSecond(middle - half), endMs: wholeSecond(middle + half) }, range);
}

/** Zooms by halves and doubles so that each step undoes the one before in the other direction, to the millisecond. */
export interface Zoom {
  shorter(range: TimeRange): TimeRange;
  longer(range: TimeRange): TimeRange;
}

/** Halving rounds to whole seconds, and doubling cannot know how: so the ranges that were passed through are kept. */
export function createZoom(): Zoom {
  /** The longest first, while nothing but zooming changes the range. */
  let passed: readonly TimeRange[] = [];
  const step = (range: TimeRange, direction: 1 | -1): TimeRange => {
    const here = passed.findIndex((each) => each.startMs === range.startMs && each.endMs === range.endMs);
    if (here < 0) passed = [range];
    const known = passed[Math.max(0, here) + direction];
    if (known) return known;
    const next = zoomRange(range, direction > 0 ? 0.5 : 2);
    // At the shortest and the longest there is no further step, and none to undo.
    if (direction * (durationMs(range) - durationMs(next)) <= 0) return range;
    passed = direction > 0 ? [...passed, next] : [next, ...passed];
    return next;
  };
  return { shorter: (range) => step(range, 1), longer: (range) => step(range, -1) };
}

/** How many calendar months the range is made of; 0 where it is not. */
function wholeMonths({ startMs, endMs }: TimeRange): number {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  if (!isMonthStart(start) || !isMonthStart(end)) return 0;
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

/** The new range where all of it can be asked for, else the old one. */
function checked(range: TimeRange, old: TimeRange): TimeRange {
  const isPossible = within(range.startMs) !== null && within(range.endMs) !== null && range.endMs > range.startMs;
  return isPossible ? range : old;
}

function isMonthStart(date: Date): boolean {
  return date.getTime() === Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function wholeSecond(moment: number): UtcMs {
  return Math.round(moment / SECOND_MS) * SECOND_MS;
}
