import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, runWords } from "#shared/schedule/schedule.ts";
import type { Desktop } from "../../ports.ts";
import type { Events } from "../events.ts";

/** Whether the user wants to be told of the end of a run. What the user stopped is none. */
export function isWorthTelling({ notice }: Pick<Schedule, "notice">, { state }: Pick<ScheduleRun, "state">): boolean {
  if (state === "stopped" || state === "interrupted" || notice === "never") return false;
  return notice === "end" || state === "failed" || state === "incomplete";
}

/** Tells the end of runs to windows, and to the system. */
export function createTeller(
  desktop: Desktop | undefined,
  events: Events,
  wantsNotices: () => boolean,
): (schedule: Schedule, run: ScheduleRun) => void {
  return (schedule, run) => {
    if (!isWorthTelling(schedule, run)) return;
    const { name } = schedule;
    events.emit("scheduleEnded", { name, run });
    if (wantsNotices()) desktop?.notify?.(`Schedule “${name}”`, runWords(run));
  };
}
