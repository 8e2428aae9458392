import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { temporaryName } from "#formats/leftovers.ts";
import type { Connections } from "../connections/connections.ts";
import { ExportTasks } from "../exports/tasks.ts";
import { JobQueue } from "../jobs/queue.ts";
import { Jobs } from "../jobs/jobs.ts";
import { savedExportsIn } from "../namedRecords.ts";
import type { Base } from "./base.ts";

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
