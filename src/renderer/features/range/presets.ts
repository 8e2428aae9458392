import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "#shared/time/utc.ts";

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly range: TimeRange;
}

/** Ranges by name. Those of the last days end with the running hour, so that they stay what they are for a while. */
export function presets(nowMs: UtcMs): readonly Preset[] {
  const hourEnd = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const last = (days: number): TimeRange => ({ startMs: hourEnd - days * DAY_MS, endMs: hourEnd });
  const months = (from: number, to: number): TimeRange => ({
    startMs: Date.UTC(year, month + from, 1),
    endMs: Date.UTC(year, month + to, 1),
  });
  return [
    { id: "day", title: "Last 24 hours", range: last(1) },
    { id: "week", title: "Last 7 days", range: last(7) },
    { id: "days30", title: "Last 30 days", range: last(30) },
    { id: "days365", title: "Last 365 days", range: last(365) },
    { id: "month", title: "This month", range: months(0, 1) },
    { id: "lastMonth", title: "Last month", range: months(-1, 0) },
    { id: "year", title: "This year", range: { startMs: Date.UTC(year, 0, 1), endMs: Date.UTC(year + 1, 0, 1) } },
  ];
}
