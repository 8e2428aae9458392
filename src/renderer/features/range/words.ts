import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { count, duration, utc, utcMinutes } from "../../ui/text.ts";

/** As short as it is exact: "2026-11-14 08:00", with seconds only where there are some. */
export function momentText(moment: UtcMs): string {
  return moment % MINUTE_MS === 0 ? utcMinutes(moment) : utc(moment);
}

/** "2026-11-14 00:00 → 11-21 00:00 UTC": the year is said twice only where it differs. */
export function rangeText({ startMs, endMs }: TimeRange): string {
  const [start, end] = [momentText(startMs), momentText(endMs)];
  return `${start} → ${start.slice(0, 4) === end.slice(0, 4) ? end.slice(5) : end} UTC`;
}

/** "7 d", "1,139 d" */
export function lengthText(range: TimeRange): string {
  const days = durationMs(range) / DAY_MS;
  return Number.isInteger(days) ? `${count(days)} d` : duration(durationMs(range) / 1000);
}
