import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, runWords } from "#shared/schedule/schedule.ts";
import type { Desktop } from "../../ports.ts";
import type { Events } from "../events.ts";

/** Whether to notify the user of the end of a run. Never of a run that the user stopped. */
export function isWorthNotifying({ notice }: Pick<Schedule, "notice">, { state }: Pick<ScheduleRun, "state">): boolean {
  if (state === "stopped" || state === "interrupted" || notice === "never") return false;
  return notice === "end" || state === "failed" || state === "incomplete";
}

/** Announces the end of runs in windows and as system notifications. */
export function createRunNotifier(
  desktop: Desktop | undefined,
  events: Events,
  wantsNotices: () => boolean,
): (schedule: Schedule, run: ScheduleRun) => void {
  return (schedule, run) => {
    if (!isWorthNotifying(schedule, run)) return;
    const { name } = schedule;
    events.emit("scheduleEnded", { name, run });
    if (wantsNotices()) desktop?.notify?.(`Schedule “${name}”`, runWords(run));
  };
}
