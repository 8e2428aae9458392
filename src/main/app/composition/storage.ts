import { SiteMatches } from "../comparison/matches.ts";
import type { Connections } from "../connections/connections.ts";
import { ColumnChoices } from "../files/columns.ts";
import { OpenFiles } from "../files/files.ts";
import { RecentFiles } from "../files/recent.ts";
import { sweepRefreshes } from "../jobs/refresh.ts";
import { CacheMaintenance } from "../storage/cacheMaintenance.ts";
import { MaintenanceTasks } from "../storage/maintenanceTasks.ts";
import { MaximumSizes } from "../storage/maximumSize.ts";
import { sweepDataFolder } from "../storage/ownFiles.ts";
import { SessionFiles } from "../storage/sessionFiles.ts";
import { temporaryData } from "../../dataFolder.ts";
import { finishInterrupted } from "../storage/unfinished.ts";
import type { Base } from "./base.ts";
import type { Work } from "./work.ts";

/** Creates what looks after caches and files, and finishes or removes what an earlier run left. */
export function createStorage(base: Base, connections: Connections, { queue, exportTasks }: Work) {
  const { users, dataFolder, events, clock, savedViews } = base;
  const nowMs = () => clock.wallMs();
  const columnChoices = new ColumnChoices(users);
  const files = new OpenFiles(events, new RecentFiles(users, nowMs), columnChoices, {
    scratchFolder: () => temporaryData(dataFolder),
  });
  if (users.refusal === null) {
    sweepDataFolder(dataFolder);
    finishInterrupted(users, dataFolder);
    sweepRefreshes(users);
  }
  return {
    /** Files that the user opened to view beside the cache. */
    files,
    /** The meaning of columns in text tables, as the user chose it. */
    columnChoices,
    /** Matches of sites that the user chose. */
    siteMatches: new SiteMatches(users),
    /** Maximum sizes of caches, and the removal of data to meet them. */
    maximumSizes: new MaximumSizes({ ...base, connections, jobs: () => queue.list() }),
    /** Long-running maintenance of caches; outlives the window that started it. */
    maintenance: new MaintenanceTasks(events, clock),
    cacheMaintenance: new CacheMaintenance({
      ...base,
      connections,
      queue,
      isExporting: (connectionId) =>
        exportTasks.list().some((task) => task.connectionId === connectionId && task.state === "running"),
    }),
    /** Files that share views and data with somebody else. */
    sessionFiles: new SessionFiles({
      ...base,
      connections,
      views: savedViews,
      openedFiles: () => files.list(),
      nowMs,
    }),
  };
}
