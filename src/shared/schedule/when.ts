import { CalendarDateTime, fromAbsolute, toZoned } from "@internationalized/date";
import { z } from "zod";
import { DAY_MS, MINUTE_MS, startOfDay, type UtcMs } from "../time/utc.ts";

/** The end of the calendar of local times. */
const LAST_MS = Date.UTC(9999, 11, 30);
/** A week. */
const MAX_MINUTES = 10_080;

/** Timers of the system start a schedule this often too, for ranges that wait for another try. */
export const RETRY_MINUTES = 15;

/** When a schedule runs. */
export const scheduleTime = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("daily"),
    /** `06:30` */
    time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day is written as 06:30"),
    clock: z.enum(["utc", "local"]),
  }),
  z.object({ kind: z.literal("every"), minutes: z.number().int().min(1).max(MAX_MINUTES) }),
]);
export type ScheduleTime = z.output<typeof scheduleTime>;

/** Reads a time of day as it may be typed: "6:30", "6.30", "0630" or "6". @returns `06:30`; null if it is none */
export function readTimeOfDay(typed: string): string | null {
  const [, hours, minutes = "00"] = /^(\d{1,2})(?:[:.h]?([0-5]\d))?$/.exec(typed.trim()) ?? [];
  return hours !== undefined && Number(hours) < 24 ? `${hours.padStart(2, "0")}:${minutes}` : null;
}

/**
 * Returns the first planned time after a moment. Repetitions up to a day are counted from each midnight UTC, so the last
 * one of a day may be shorter; longer ones from 1970 on, which is midnight UTC for whole days. A local time skipped by
 * daylight saving is shifted by the skipped time; of a repeated local time, the first one counts.
 *
 * @param zone of a local time; by default that of this computer
 * @throws RangeError if the calendar ends before it
 */
export function nextTime(when: ScheduleTime, afterMs: UtcMs, zone?: string): UtcMs {
  if (when.kind === "every") {
    const stepMs = when.minutes * MINUTE_MS;
    if (stepMs > DAY_MS) return nextMultiple(stepMs, afterMs);
    const midnight = startOfDay(afterMs);
    return midnight + Math.min(DAY_MS, nextMultiple(stepMs, afterMs - midnight));
  }
  const [hours = 0, minutes = 0] = when.time.split(":").map(Number);
  if (when.clock === "utc") {
    const today = startOfDay(afterMs) + (hours * 60 + minutes) * MINUTE_MS;
    return today > afterMs ? today : today + DAY_MS;
  }
  if (!(afterMs < LAST_MS)) throw new RangeError(`no local time follows ${afterMs}`);
  // Asked for each time, because it can change, and only for local times, because it takes a while.
  const localZone = zone ?? ownTimeZone();
  const { year, month, day } = fromAbsolute(afterMs, localZone);
  const today = new CalendarDateTime(year, month, day, hours, minutes);
  // Starts with the previous date: if clocks are set back over midnight, its time may be still ahead.
  const times = [-1, 0, 1, 2].map((days) => toZoned(today.add({ days }), localZone, "compatible").toDate().getTime());
  const next = times.find((time) => time > afterMs);
  if (next === undefined) throw new RangeError(`no local time follows ${afterMs}`);
  return next;
}

/** The time zone of this computer, such as `Europe/Helsinki`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function nextMultiple(stepMs: number, afterMs: number): number {
  return (Math.floor(afterMs / stepMs) + 1) * stepMs;
}

/** "Every day at 06:30 UTC", "Every 15 minutes". */
export function timeWords(when: ScheduleTime): string {
  if (when.kind === "daily") return `Every day at ${when.time} ${when.clock === "utc" ? "UTC" : "local time"}`;
  const { minutes } = when;
  if (minutes === 1) return "Every minute";
  if (minutes === 60) return "Every hour";
  return minutes % 60 === 0 ? `Every ${minutes / 60} hours` : `Every ${minutes} minutes`;
}
