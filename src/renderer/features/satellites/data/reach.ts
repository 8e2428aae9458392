import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";

/** The most that is read at once: what fits into memory as numbers and is drawn without waiting. */
const MOST_DAYS = 31;
const MOST_EPOCHS = 31 * 2_880;
const EPOCHS_PER_PART = 2_880;

/** The end of the range as far as it is read: 31 days at 30 s, about a day at 1 s. */
export function readableRange(range: TimeRange, stepMs: number): TimeRange {
  const mostMs = Math.min(MOST_DAYS * DAY_MS, MOST_EPOCHS * stepMs);
  return { startMs: Math.max(range.startMs, range.endMs - mostMs), endMs: range.endMs };
}

/** Parts that are read one after the other: whole days or hours of UTC as the cache keeps them, cut to the range. */
export function partsOf(range: TimeRange, stepMs: number): TimeRange[] {
  const partMs = EPOCHS_PER_PART * stepMs >= DAY_MS ? DAY_MS : HOUR_MS;
  const parts: TimeRange[] = [];
  for (let startMs = range.startMs; startMs < range.endMs;) {
    const endMs = Math.min(range.endMs, (Math.floor(startMs / partMs) + 1) * partMs);
    parts.push({ startMs, endMs });
    startMs = endMs;
  }
  return parts;
}
