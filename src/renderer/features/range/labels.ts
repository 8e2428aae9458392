import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { DAY_MS, MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { count, exactDuration, utc, utcMinutes } from "../../ui/text.ts";

/** Formats a time, with seconds only if they are not zero: "2026-11-14 08:00". */
export function momentText(moment: UtcMs): string {
  return moment % MINUTE_MS === 0 ? utcMinutes(moment) : utc(moment);
}

/** Formats a range, with the second year only if it differs: "2026-11-14 00:00 → 11-21 00:00 UTC". */
export function rangeText({ startMs, endMs }: TimeRange): string {
  const [start, end] = [momentText(startMs), momentText(endMs)];
  return `${start} → ${start.slice(0, 4) === end.slice(0, 4) ? end.slice(5) : end} UTC`;
}

/** Formats the length of a range: "7 d", "1,139 d", "0.25 s". */
export function lengthText(range: TimeRange): string {
  const days = durationMs(range) / DAY_MS;
  return Number.isInteger(days) ? `${count(days)} d` : exactDuration(durationMs(range) / 1000);
}
