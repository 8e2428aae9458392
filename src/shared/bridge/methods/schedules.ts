import { z } from "zod";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, schedule } from "#shared/schedule/schedule.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";

const scheduleId = z.string().min(1).max(100);

/** A schedule as the window shows it. */
export interface KeptSchedule {
  readonly id: string;
  readonly schedule: Schedule;
  /** null while it is paused. */
  readonly nextRunMs: UtcMs | null;
  /** The latest, which may be under way; null before the first. */
  readonly lastRun: ScheduleRun | null;
  /** What a run under way in this program does: "download", "export" or "forget"; null where none is. */
  readonly stage: ScheduleStage | null;
  /** Where its files go. */
  readonly folder: string;
}

export type ScheduleStage = "download" | "export" | "forget";

/** Downloads and exports that repeat while the program runs, of all connections. Each change is told by `schedulesChanged`. */
export const schedules = {
  /** By name. Faults: disk. */
  list: method<KeptSchedule[]>()(z.object({})),
  /**
   * Keeps a new schedule, or with its `id` a changed one. The folder has to be chosen with `system.chooseFolder`. Faults:
   * usage (the name is taken, the folder was not chosen, data would be deleted that the next run needs), disk.
   */
  save: method<KeptSchedule>()(z.object({ id: scheduleId.nullable(), schedule })),
  /** Deletes it with its history, and stops a run under way. Its files stay. */
  remove: method<null>()(z.object({ id: scheduleId })),
  /** Runs that are missed while it is paused are not made up for. */
  setPaused: method<null>()(z.object({ id: scheduleId, isPaused: z.boolean() })),
  /** Starts a run now; its end is told by events. Faults: usage (it runs already, here or in another program), disk. */
  run: method<null>()(z.object({ id: scheduleId })),
  /** Stops a run under way in this program; what arrived is kept. */
  stop: method<null>()(z.object({ id: scheduleId })),
  /** The last runs, newest first. */
  history: method<ScheduleRun[]>()(z.object({ id: scheduleId })),
};
