import type { ScheduleRun } from "#shared/schedule/run.ts";
import { nextTime } from "#shared/schedule/when.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { StoredSchedule } from "./scheduleStore.ts";

/** A run that starts later than this was missed: the program was closed, or the computer asleep. */
const MISSED_AFTER_MS = 120_000;

/** The first planned time that is not handled yet; in the past if a run is due. */
export function plannedTime({ schedule, handledMs }: Pick<StoredSchedule, "schedule" | "handledMs">): UtcMs {
  return nextTime(schedule.when, handledMs);
}

/**
 * Why a schedule has to run now; null if it does not. One run makes up for any number of missed times. A run that was
 * interrupted by the end of the program is repeated, but not twice in a row.
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
  const wasInterrupted = last?.state === "running" || last?.state === "interrupted";
  return wasInterrupted && before?.state !== "interrupted" ? "missed" : null;
}
