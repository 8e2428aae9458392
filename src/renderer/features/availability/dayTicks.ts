import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type TimeTick, timeTicks } from "../../plot/timeTicks.ts";

/** Room that a date takes, with its line. */
const DATE_PX = 48;

/** Dates over columns that are days: as many as have room, and never hours, of which there is nothing to see. */
export function dayTicks(range: TimeRange, widthPx: number): readonly TimeTick[] {
  const dayPx = (widthPx * DAY_MS) / Math.max(1, range.endMs - range.startMs);
  // Wider apart than they are, days would get ticks between them.
  return timeTicks(range, widthPx, Math.max(DATE_PX, 0.9 * dayPx));
}
