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

/** A day of a station in the table: places of row and column. */
export interface Cell {
  readonly row: number;
  readonly day: number;
}

/** Where a key leads from a cell; null where it leads nowhere. */
export function movedCell(
  press: { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean },
  from: Cell,
  rows: number,
  days: number,
  pageRows: number,
): Cell | null {
  const row = (n: number): Cell => ({ ...from, row: Math.min(rows - 1, Math.max(0, n)) });
  const day = (n: number): Cell => ({ ...from, day: Math.min(days - 1, Math.max(0, n)) });
  const withControl = press.ctrlKey || press.metaKey;
  switch (press.key) {
    case "ArrowDown":
      return row(from.row + 1);
    case "ArrowUp":
      return row(from.row - 1);
    case "ArrowRight":
      return day(from.day + (withControl ? 7 : 1));
    case "ArrowLeft":
      return day(from.day - (withControl ? 7 : 1));
    case "PageDown":
      return row(from.row + pageRows);
    case "PageUp":
      return row(from.row - pageRows);
    case "Home":
      return withControl ? { row: 0, day: 0 } : day(0);
    case "End":
      return withControl ? { row: rows - 1, day: days - 1 } : day(days - 1);
    default:
      return null;
  }
}

/** Left edge of a column of the calendar: whole pixels, so that neighbours meet without a seam. */
export function edgePx(day: number, days: number, widthPx: number): number {
  return Math.round((day * widthPx) / days);
}

/** The column under a point; null beside the calendar. */
export function dayAt(x: number, days: number, widthPx: number): number | null {
  if (x < 0 || x >= widthPx || days === 0) return null;
  let day = Math.min(days - 1, Math.floor((x * days) / widthPx));
  // Edges are rounded: the neighbour may be the one that is drawn here.
  while (day + 1 < days && edgePx(day + 1, days, widthPx) <= x) day++;
  while (day > 0 && edgePx(day, days, widthPx) > x) day--;
  return day;
}
