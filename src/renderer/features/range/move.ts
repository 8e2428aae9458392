import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { SECOND_MS, type UtcMs } from "#shared/time/utc.ts";
import { addMonths, bridgeMoment } from "#shared/time/typed.ts";

const MIN_RANGE_MS = 10 * SECOND_MS;

/** Returns the previous (-1) or next (1) range of the same length; whole months move by whole months. */
export function stepRange(range: TimeRange, direction: 1 | -1): TimeRange {
  const months = wholeMonths(range);
  const move = (moment: UtcMs): UtcMs =>
    months === 0 ? moment + direction * durationMs(range) : addMonths(moment, direction * months);
  return validOr({ startMs: move(range.startMs), endMs: move(range.endMs) }, range);
}

/**
 * Zooms out (factor > 1) or in around the middle, in whole seconds, to at least ten seconds. A range that ends by now is
 * extended into the past only, like with the wheel.
 */
export function zoomRange(range: TimeRange, factor: number, nowMs: UtcMs): TimeRange {
  const length = Math.max(MIN_RANGE_MS, durationMs(range) * factor);
  const middle = range.startMs + durationMs(range) / 2;
  const endMs = Math.min(middle + length / 2, Math.max(nowMs, range.endMs));
  return validOr({ startMs: wholeSecond(endMs - length), endMs: wholeSecond(endMs) }, range);
}

/**
 * Zooms by factors of two, so that a step in the other direction restores the previous range exactly. Remembers the ranges
 * of previous steps, because halving rounds to whole seconds.
 */
export function createZoom(now: () => UtcMs = Date.now) {
  /** Ranges of consecutive steps, longest first; reset when the range changes otherwise. */
  let steps: readonly TimeRange[] = [];
  const step = (range: TimeRange, direction: 1 | -1): TimeRange => {
    const here = steps.findIndex((each) => each.startMs === range.startMs && each.endMs === range.endMs);
    if (here < 0) steps = [range];
    const known = steps[Math.max(0, here) + direction];
    if (known) return known;
    const next = zoomRange(range, direction > 0 ? 0.5 : 2, now());
    // At the minimum and maximum, there is no further step.
    if (direction * (durationMs(range) - durationMs(next)) <= 0) return range;
    steps = direction > 0 ? [...steps, next] : [next, ...steps];
    return next;
  };
  return { shorter: (range: TimeRange) => step(range, 1), longer: (range: TimeRange) => step(range, -1) };
}

/** Returns the number of whole calendar months of the range; 0 if it is not made of whole months. */
function wholeMonths({ startMs, endMs }: TimeRange): number {
  const [start, end] = [new Date(startMs), new Date(endMs)];
  if (!isMonthStart(start) || !isMonthStart(end)) return 0;
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}

/** Returns the range if it can be requested, else the old one. */
function validOr(range: TimeRange, old: TimeRange): TimeRange {
  const isValid =
    bridgeMoment(range.startMs) !== null && bridgeMoment(range.endMs) !== null && range.endMs > range.startMs;
  return isValid ? range : old;
}

function isMonthStart(date: Date): boolean {
  return date.getTime() === Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function wholeSecond(moment: number): UtcMs {
  return Math.round(moment / SECOND_MS) * SECOND_MS;
}
