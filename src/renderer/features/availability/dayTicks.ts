import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type TimeTick, timeTicks } from "#shared/plot/timeTicks.ts";

/** Room that "11-21" takes, with its line. */
const DATE_PX = 48;
/** Room that "2026-11" takes. */
const MONTH_PX = 64;
const MONTH_LETTERS = 7;

/** Dates over columns that are days: as many as have room, and never hours, of which there is nothing to see. */
export function dayTicks(range: TimeRange, widthPx: number): readonly TimeTick[] {
  const dayPx = (widthPx * DAY_MS) / Math.max(1, range.endMs - range.startMs);
  // Wider apart than they are, days would get ticks between them.
  const dates = timeTicks(range, widthPx, Math.max(DATE_PX, 0.9 * dayPx));
  return dates.some(({ label }) => label.length >= MONTH_LETTERS) ? timeTicks(range, widthPx, MONTH_PX) : dates;
}
