import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { temporaryName } from "#formats/leftovers.ts";
import type { Connections } from "../connections/connections.ts";
import { ExportTasks } from "../exports/tasks.ts";
import { JobQueue } from "../jobs/queue.ts";
import { Jobs } from "../jobs/jobs.ts";
import { savedExportsIn } from "../namedRecords.ts";
import type { Base } from "./base.ts";
import type { DrawFigure } from "../exports/figure.ts";
import { downloadInQueue } from "../schedules/download.ts";
import { ScheduleRunner } from "../schedules/run.ts";
import { createRunNotifier, Schedules } from "../schedules/scheduler.ts";
import { ScheduleStore } from "../schedules/scheduleStore.ts";

/** Creates downloads and exports. */
export function createWork(base: Base, connections: Connections) {
  const { users, dataFolder, ports } = base;
  const jobs = new Jobs(users);
  const downloadFolder = users.refusal === null ? resolve(dataFolder, "exports") : join(tmpdir(), temporaryName());
  return {
    /** Downloads that the caller waits for, as the command line does. */
    jobs,
    /** Downloads that outlive the windows and the program. */
    queue: new JobQueue({ ...base, connections }),
    /** For files that a window offers for download: in the data folder, unless nothing can be written there. */
    downloadFolder,
    /** Exports that outlive the windows. */
    exportTasks: new ExportTasks({ ...base, downloadFolder, jobs, desktop: ports.desktop }),
    /** Exports that the user saved under a name. */
    savedExports: savedExportsIn(users),
  };
}

export type Work = ReturnType<typeof createWork>;

/** Creates schedules of downloads and exports, and what runs them. */
export function createSchedules(base: Base, connections: Connections, work: Work, draw: DrawFigure) {
  const { users, events, settings, ports } = base;
  const store = new ScheduleStore(users);
  const runner = new ScheduleRunner({
    ...base,
    ...work,
    store,
    connections,
    draw,
    look: () => settings.read().figure,
  });
  return {
    /** Downloads and exports that repeat. */
    schedules: new Schedules({
      ...base,
      store,
      runner,
      download: downloadInQueue({ queue: work.queue, events, users }),
      notify: createRunNotifier(ports.desktop, events, () => settings.read().notify),
    }),
    /** Runs one schedule for a caller that waits for the end, such as the command line. */
    scheduleRunner: runner,
  };
}
