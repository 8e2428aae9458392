import type { TimeRange } from "#shared/time/range.ts";
import { type TimeTick, timeTicks } from "#shared/plot/timeTicks.ts";
import { DAY_MS, startOfDay } from "#shared/time/utc.ts";

/** Maximum number of days: more columns do not fit in a window. */
export const MAX_DAYS = 366;

/** Returns the whole UTC days that a range touches, at most the last `MAX_DAYS`. */
export function shownDays({ startMs, endMs }: TimeRange): TimeRange & { readonly isTruncated: boolean } {
  const lastMs = Math.ceil(endMs / DAY_MS) * DAY_MS;
  const firstMs = startOfDay(startMs);
  const earliestMs = lastMs - MAX_DAYS * DAY_MS;
  return { startMs: Math.max(firstMs, earliestMs), endMs: lastMs, isTruncated: firstMs < earliestMs };
}

/** A day of a station in the table, by row and column index. */
export interface Cell {
  readonly row: number;
  readonly day: number;
}

function within(n: number, all: number): number {
  return Math.min(all - 1, Math.max(0, n));
}

/** Returns the cell that a key moves to; null for other keys. */
export function movedCell(
  press: { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean },
  from: Cell,
  { rows, days, pageRows }: { readonly rows: number; readonly days: number; readonly pageRows: number },
): Cell | null {
  const withControl = press.ctrlKey || press.metaKey;
  const { row, day } = from;
  const step = withControl ? 7 : 1;
  const moved: Readonly<Record<string, readonly [row: number, day: number]>> = {
    ArrowDown: [row + 1, day],
    ArrowUp: [row - 1, day],
    ArrowRight: [row, day + step],
    ArrowLeft: [row, day - step],
    PageDown: [row + pageRows, day],
    PageUp: [row - pageRows, day],
    Home: [withControl ? 0 : row, 0],
    End: [withControl ? rows - 1 : row, days - 1],
  };
  const to = moved[press.key];
  return to ? { row: within(to[0], rows), day: within(to[1], days) } : null;
}

/** Left edge of a column of the calendar, rounded to whole pixels so that neighbours meet without a seam. */
export function edgePx(day: number, days: number, widthPx: number): number {
  return Math.round((day * widthPx) / days);
}

/** Returns the column at a horizontal position; null outside the calendar. */
export function dayAt(x: number, days: number, widthPx: number): number | null {
  if (x < 0 || x >= widthPx || days === 0) return null;
  let day = Math.min(days - 1, Math.floor((x * days) / widthPx));
  // Edges are rounded, so a neighbouring column may be drawn here.
  while (day + 1 < days && edgePx(day + 1, days, widthPx) <= x) day++;
  while (day > 0 && edgePx(day, days, widthPx) > x) day--;
  return day;
}

/** Minimum distance of ticks such as "11-21". */
const DATE_PX = 48;
/** Minimum distance of ticks such as "2026-11". */
const MONTH_PX = 64;
const MONTH_LETTERS = 7;

/** Returns date ticks over columns of one day: as many as fit, never hours, because the columns show whole days. */
export function dayTicks(range: TimeRange, widthPx: number): readonly TimeTick[] {
  const dayPx = (widthPx * DAY_MS) / Math.max(1, range.endMs - range.startMs);
  // A smaller distance than nearly a day would add ticks within days.
  const dates = timeTicks(range, widthPx, Math.max(DATE_PX, 0.9 * dayPx));
  return dates.some(({ label }) => label.length >= MONTH_LETTERS) ? timeTicks(range, widthPx, MONTH_PX) : dates;
}
