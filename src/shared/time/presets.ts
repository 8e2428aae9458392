import type { MovingRange } from "./typed.ts";

interface Preset extends MovingRange {
  readonly title: string;
}

/** Named ranges, which all move with the clock and end no later than now. */
export const PRESETS: readonly Preset[] = [
  { title: "Last 24 hours", start: "now-24h", end: "now" },
  { title: "Last 7 days", start: "now-7d", end: "now" },
  { title: "Last 30 days", start: "now-30d", end: "now" },
  { title: "Last 365 days", start: "now-365d", end: "now" },
  { title: "Today", start: "today", end: "now" },
  { title: "Yesterday", start: "yesterday", end: "today" },
  { title: "This month", start: "this month", end: "now" },
  { title: "Last month", start: "last month", end: "this month" },
  { title: "This year", start: "this year", end: "now" },
];

/** Formats a moving range: "Last 7 days", or both ends as typed. */
export function movingText(moving: MovingRange): string {
  const preset = PRESETS.find(({ start, end }) => start === moving.start && end === moving.end);
  if (preset) return preset.title;
  return moving.end === "" ? moving.start : `${moving.start} → ${moving.end}`;
}
