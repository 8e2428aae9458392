import { z } from "zod";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule, schedule } from "#shared/schedule/schedule.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";

const scheduleId = z.string().min(1).max(100);

/** A stored schedule with its state. */
export interface KeptSchedule {
  readonly id: string;
  readonly schedule: Schedule;
  /** null while it is paused. */
  readonly nextRunMs: UtcMs | null;
  /** The latest run, which may be in progress; null before the first. */
  readonly lastRun: ScheduleRun | null;
  /** Stage of a run in progress in this program, or null. */
  readonly stage: ScheduleStage | null;
  /** Folder of its files. */
  readonly folder: string;
}

export type ScheduleStage = "download" | "export" | "forget";

/** Downloads and exports of all connections that repeat while the program runs. `schedulesChanged` reports changes. */
export const schedules = {
  /** By name. Faults: disk. */
  list: method<KeptSchedule[]>()(z.object({})),
  /**
   * Stores a new schedule, or changes the one with this `id`. With `before`, the settings when the edit began, settings
   * that somebody else changed in the meantime are kept. The folder has to be chosen with `system.chooseFolder`.
   * Faults: usage (the name is taken, the folder was not chosen, data would be deleted that the next run needs), disk.
   */
  save: method<KeptSchedule>()(z.object({ id: scheduleId.nullable(), schedule, before: schedule.optional() })),
  /**
   * Deletes it with its history, and stops a run in progress. Its files stay. With `before`, one that was changed since is
   * kept. Faults: usage (it was changed), disk.
   */
  remove: method<null>()(z.object({ id: scheduleId, before: schedule.optional() })),
  /** Runs missed during a pause are skipped. */
  setPaused: method<null>()(z.object({ id: scheduleId, isPaused: z.boolean() })),
  /** Starts a run now; events report its end. Faults: usage (it runs already, here or in another program), disk. */
  run: method<null>()(z.object({ id: scheduleId })),
  /** Stops a run in progress in this program; downloaded data is kept. */
  stop: method<null>()(z.object({ id: scheduleId })),
  /** The last runs, newest first. */
  history: method<ScheduleRun[]>()(z.object({ id: scheduleId })),
};
