import type { Connections } from "../connections/connections.ts";
import type { DrawFigure } from "../exports/figure.ts";
import { downloadInQueue } from "../schedules/download.ts";
import { ScheduleRunner } from "../schedules/run.ts";
import { createRunNotifier, Schedules } from "../schedules/scheduler.ts";
import { ScheduleStore } from "../schedules/scheduleStore.ts";
import type { Base } from "./base.ts";
import type { Work } from "./work.ts";

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
