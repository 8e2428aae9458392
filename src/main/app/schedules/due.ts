import type { ScheduleRun } from "#shared/schedule/run.ts";
import { nextTime } from "#shared/schedule/when.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { ScheduleStore, StoredSchedule } from "./scheduleStore.ts";

/** A run that starts later than this was missed: the program was closed, or the computer asleep. */
const MISSED_AFTER_MS = 120_000;
/** Small corrections of the clock must not repeat a run that just started. */
const CORRECTION_MS = 120_000;

/**
 * The time up to which planned times are handled. A time in the future was stored while the clock of this computer was
 * ahead: then it is the start of the last run before now, or now.
 *
 * @param runs newest first
 */
function handledTime({ handledMs }: Pick<StoredSchedule, "handledMs">, runs: readonly ScheduleRun[], nowMs: UtcMs) {
  if (handledMs <= nowMs + CORRECTION_MS) return handledMs;
  // A timer of the system that has just started the program may have done so for a planned time.
  return pastRuns(runs, nowMs)[0]?.startedMs ?? nowMs - MISSED_AFTER_MS;
}

/** Leaves out runs that started while the clock was ahead. */
function pastRuns(runs: readonly ScheduleRun[], nowMs: UtcMs): readonly ScheduleRun[] {
  return runs.filter((run) => run.startedMs <= nowMs + CORRECTION_MS);
}

/** The last run; one that was dated by a clock that was ahead only if there is no other. @param runs newest first */
export function lastRun(runs: readonly ScheduleRun[], nowMs: UtcMs): ScheduleRun | null {
  return pastRuns(runs, nowMs)[0] ?? runs[0] ?? null;
}

/** The first planned time that is not handled yet; in the past if a run is due. @param runs newest first */
export function plannedTime(
  stored: Pick<StoredSchedule, "schedule" | "handledMs">,
  runs: readonly ScheduleRun[],
  nowMs: UtcMs,
): UtcMs {
  return nextTime(stored.schedule.when, handledTime(stored, runs, nowMs));
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
  const timeMs = plannedTime(stored, runs, nowMs);
  if (timeMs <= nowMs) return nowMs - timeMs > MISSED_AFTER_MS ? "missed" : "time";
  const [last, before] = pastRuns(runs, nowMs);
  const wasInterrupted = last?.state === "running" || last?.state === "interrupted";
  return wasInterrupted && before?.state !== "interrupted" ? "missed" : null;
}

/** Like `dueTrigger`; also stores the handled time if it was in the future, so that it does not move with the clock. */
export function checkDue(
  store: Pick<ScheduleStore, "runs" | "setHandled">,
  stored: StoredSchedule,
  nowMs: UtcMs,
): ReturnType<typeof dueTrigger> {
  const runs = store.runs(stored.id);
  const handledMs = handledTime(stored, runs, nowMs);
  if (handledMs !== stored.handledMs) store.setHandled(stored.id, handledMs);
  return dueTrigger({ ...stored, handledMs }, runs, nowMs);
}
