import type { ScheduleRun } from "#shared/schedule/run.ts";
import { nextTime } from "#shared/schedule/when.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { StoredSchedule } from "./kept.ts";

/** A run that begins later than its time was missed: the program was closed, or the computer asleep. */
const MISSED_AFTER_MS = 120_000;

/** The first planned time that is not done with: past where a run is due. */
export function plannedTime({ schedule, handledMs }: Pick<StoredSchedule, "schedule" | "handledMs">): UtcMs {
  return nextTime(schedule.when, handledMs);
}

/**
 * Whether a schedule is to run by itself, and why; null where it is not. However many times were missed, they are made up
 * for by one run. One that the end of the program cut short is run again, but not twice in a row.
 *
 * @param runs newest first
 */
export function dueTrigger(
  stored: StoredSchedule,
  runs: readonly ScheduleRun[],
  nowMs: UtcMs,
): Extract<ScheduleRun["trigger"], "time" | "missed"> | null {
  if (stored.schedule.isPaused) return null;
  const timeMs = plannedTime(stored);
  if (timeMs <= nowMs) return nowMs - timeMs > MISSED_AFTER_MS ? "missed" : "time";
  const [last, before] = runs;
  const wasCut = last?.state === "running" || last?.state === "interrupted";
  return wasCut && before?.state !== "interrupted" ? "missed" : null;
}
