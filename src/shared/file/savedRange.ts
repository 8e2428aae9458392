import { z } from "zod";
import { range } from "../bridge/methods/words.ts";
import type { TimeRange } from "../time/range.ts";
import { DAY_MS, HOUR_MS, type UtcMs } from "../time/utc.ts";

/** Ranges that move with the clock, in full UTC hours, days and months: whenever it is repeated, nothing is half. */
export const PERIODS = {
  last24Hours: "The last 24 full hours",
  yesterday: "Yesterday",
  last7Days: "The last 7 full days",
  last30Days: "The last 30 full days",
  lastMonth: "The last full month",
} as const;

export type Period = keyof typeof PERIODS;

const PERIOD_IDS = ["last24Hours", "yesterday", "last7Days", "last30Days", "lastMonth"] as const satisfies Period[];

export const savedRange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fixed"), range }),
  z.object({ kind: z.literal("relative"), period: z.enum(PERIOD_IDS) }),
]);

/** The range of a saved export: always the same, or counted back from the moment at which it is repeated. */
export type SavedRange = z.output<typeof savedRange>;

/** The half-open range that is meant at a moment. */
export function rangeAt(saved: SavedRange, nowMs: UtcMs): TimeRange {
  if (saved.kind === "fixed") return saved.range;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = (n: number): TimeRange => ({ startMs: today - n * DAY_MS, endMs: today });
  switch (saved.period) {
    case "last24Hours": {
      const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
      return { startMs: endMs - DAY_MS, endMs };
    }
    case "yesterday":
      return days(1);
    case "last7Days":
      return days(7);
    case "last30Days":
      return days(30);
    case "lastMonth":
      return { startMs: monthStart(nowMs, -1), endMs: monthStart(nowMs, 0) };
  }
}

function monthStart(nowMs: UtcMs, months: number): UtcMs {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
}
