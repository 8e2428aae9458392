import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";

/** More days than this have no room in a window. */
export const MOST_DAYS = 366;

/** The whole UTC days that a range touches; of a longer one the last. */
export function shownDays({ startMs, endMs }: TimeRange): TimeRange & { readonly isCut: boolean } {
  const lastMs = Math.ceil(endMs / DAY_MS) * DAY_MS;
  const firstMs = Math.floor(startMs / DAY_MS) * DAY_MS;
  const earliestMs = lastMs - MOST_DAYS * DAY_MS;
  return { startMs: Math.max(firstMs, earliestMs), endMs: lastMs, isCut: firstMs < earliestMs };
}
