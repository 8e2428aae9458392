import { makeDataFolder } from "./dataFolder.ts";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { temporaryName } from "#formats/leftovers.ts";
import { failure, success } from "#shared/service/error.ts";
import { createConnections } from "./app/connections/connections.ts";
import { faultOf, serviceFault } from "./fault.ts";
import { adoptCache, orphanedCaches } from "./app/connections/adopt.ts";
import { createJobs } from "./app/jobs/jobs.ts";
import { type DrawFigure, writeFigure } from "./app/exports/figure.ts";
import { readAllGaps } from "./app/reading/gaps.ts";
import { knownFailures } from "./app/reading/failures.ts";
import { createPace } from "./app/pacing.ts";
import { storedMode } from "./app/reading/selection.ts";
import { readMissing } from "./app/reading/snapshot.ts";
import { nearest, station } from "./app/stations/stations.ts";
import { exportSeries } from "./export/exportSeries.ts";
import { dataSource } from "./app/exports/dataSource.ts";
import { readBlocks } from "./export/source.ts";
import { createEvents } from "./app/events.ts";
import { createCacheChanges } from "./app/cacheChanges.ts";
import { sweepRefreshes } from "./app/jobs/refresh.ts";
import { createQueue } from "./app/jobs/queue.ts";
import { createSavedExports } from "./app/exports/saved.ts";
import { createExportTasks } from "./app/exports/tasks.ts";
import { createColumnChoices } from "./app/files/columns.ts";
import { createOpenFiles } from "./app/files/files.ts";
import { createRecentFiles } from "./app/files/recent.ts";
import { createScheduleStore } from "./app/schedules/scheduleStore.ts";
import { downloadInQueue } from "./app/schedules/download.ts";
import { createRunNotifier, createSchedules } from "./app/schedules/scheduler.ts";
import { createScheduleRunner } from "./app/schedules/run.ts";
import { createSettings } from "./app/settings.ts";
import { createCacheBounds } from "./app/storage/limit.ts";
import { createSiteMatches } from "./app/comparison/matches.ts";
import { createCacheMaintenance } from "./app/storage/cacheMaintenance.ts";
import { createMaintenanceTasks } from "./app/storage/maintenanceTasks.ts";
import { createGuardedWrite, createOwnFiles, sweepDataFolder } from "./app/storage/ownFiles.ts";
import { temporaryData } from "./app/storage/temporaryData.ts";
import { createSessionFiles } from "./app/storage/sessionFiles.ts";
import { finishInterrupted } from "./app/storage/unfinished.ts";
import { log, startLog } from "./log/index.ts";
import { VERSION } from "./program.ts";
import { createSavedViews } from "./app/savedViews.ts";
import { createWorkload } from "./app/workload.ts";
import { systemClock } from "./sync/clock.ts";
import { createHandlers } from "./bridge/handlers.ts";
import { serveChannel } from "./bridge/serve.ts";
import type { Ports } from "./ports.ts";
import { openUserStore, type UserStore } from "./store/index.ts";
import { currentCatalogue, MAX_CATALOGUE_AGE_MS, refreshCatalogue } from "./sync/catalogue.ts";
import type { App, RepairedCache } from "./app/application.ts";
import { shareWarning } from "./app/storage/shareWarning.ts";

export type { App } from "./app/application.ts";

/** Maximum number of damaged records in a sentence. */
const MAX_NAMED = 10;

/**
 * Creates the application with the ports of a shell. Opens `user.db` at once, and caches with their connections.
 *
 * @throws StoreError if `user.db` cannot be opened
 */
export function createApp(ports: Ports): App {
  const { dataFolder } = ports;
  makeDataFolder(dataFolder);
  startLog(dataFolder, ports.desktop === undefined ? "command" : "core");
  log.info(`Zenith Desk ${VERSION} opens ${dataFolder} (Node.js ${process.versions.node}, ${process.platform})`);
  const users = openUserStore(join(dataFolder, "user.db"));
  const events = createEvents();
  const clock = ports.clock ?? systemClock;
  const workload = createWorkload(ports.desktop, clock, () => createSettings(users).read().notify);
  const changes = createCacheChanges(events, clock);
  const repairs: RepairedCache[] = [];
  const connections = createConnections(ports, users, {
    onConnectivity: (connectivity) => events.emit("connectivity", connectivity),
    onCommit(connectionId, stationIds) {
      changes.note(connectionId, stationIds);
      bounds.note(connectionId);
    },
    onClocks: (connectionId, disagreement) => events.emit("clocksChanged", { connectionId, disagreement }),
    onDamage: (connectionId, message) => events.emit("cacheDamaged", { connectionId, message }),
    onRepaired(connectionId, damages) {
      repairs.push({ connectionId, damages });
      events.emit("cacheRepaired", { connectionId, damages });
      changes.note(connectionId, [...new Set(damages.map(({ stationId }) => stationId))]);
    },
    async beforeRemove(connectionId) {
      await queue.drop(connectionId);
      await exportTasks.drop(connectionId);
      await maintenance.stop(connectionId);
    },
  });
  const queue = createQueue({ users, connections, events, clock, workload });
  const bounds = createCacheBounds({ connections, jobs: () => queue.list(), events, clock });
  const jobs = createJobs(users);
  const ownFiles = createOwnFiles(users, dataFolder);
  const writeGuarded = createGuardedWrite(ownFiles);
  const hasOwnDownloads = users.refusal === null;
  const downloadFolder = hasOwnDownloads ? resolve(dataFolder, "exports") : join(tmpdir(), temporaryName());
  const exportTasks = createExportTasks({
    downloadFolder,
    dataFolder,
    writeGuarded,
    jobs,
    events,
    clock,
    workload,
    desktop: ports.desktop,
  });
  const savedExports = createSavedExports(users);
  const scheduleStore = createScheduleStore(users);
  const draw: DrawFigure = (connection, request, signal) =>
    writeGuarded(request.path, () => writeFigure(connection, users, request, signal));
  const scheduleRunner = createScheduleRunner({
    store: scheduleStore,
    connections,
    jobs,
    queue,
    savedExports,
    writeGuarded,
    draw,
    look: () => createSettings(users).read().figure,
    clock,
    dataFolder,
  });
  const schedules = createSchedules({
    store: scheduleStore,
    runner: scheduleRunner,
    download: downloadInQueue({ queue, events, users }),
    events,
    clock,
    dataFolder,
    notify: createRunNotifier(ports.desktop, events, () => createSettings(users).read().notify),
  });
  const columnChoices = createColumnChoices(users);
  const files = createOpenFiles(
    events,
    createRecentFiles(users, () => clock.wallMs()),
    columnChoices,
    { scratchFolder: () => temporaryData(dataFolder) },
  );
  const maintenance = createMaintenanceTasks(events, clock);
  if (users.refusal === null) {
    sweepDataFolder(dataFolder);
    finishInterrupted(users, dataFolder);
    sweepRefreshes(users);
  }
  const cacheMaintenance = createCacheMaintenance({
    connections,
    queue,
    isExporting: (connectionId) =>
      exportTasks.list().some((task) => task.connectionId === connectionId && task.state === "running"),
    users,
    ownFiles,
  });
  const sessionFiles = createSessionFiles({
    dataFolder,
    connections,
    views: createSavedViews(users),
    openedFiles: files.list,
    writeGuarded,
    nowMs: () => clock.wallMs(),
  });
  let restsFromSchedules = false;
  const app: App = {
    warnings: warningsOf(users, dataFolder),
    downloadFolder,
    connections,
    jobs,
    queue,
    exportTasks,
    files,
    bounds,
    sessionFiles,
    cacheMaintenance,
    maintenance,
    savedExports,
    changeGroups: (before, after) => void createSettings(users).changeGroups(before, after),
    siteMatches: createSiteMatches(users),
    columnChoices,
    schedules,
    scheduleRunner,
    orphanedCaches: () => orphanedCaches(users, dataFolder),
    adoptCache: (path, overrides) => adoptCache(users, dataFolder, path, overrides),
    repairs: () => repairs,
    async catalogue({ session, cache }, fresh, signal, patienceMs) {
      if (fresh && cache.refusal !== null) return failure(faultOf(cache.refusal));
      const answer = fresh
        ? await refreshCatalogue(session, signal, patienceMs)
        : await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal, patienceMs);
      return answer.ok ? success(answer.value) : failure(serviceFault(answer.error));
    },
    missing({ cache, record }, query, signal) {
      const failures = knownFailures(users, record.id, storedMode(query.mode));
      return readMissing(cache, query, failures, createPace(signal));
    },
    nearest,
    station,
    rows({ cache }, selection, stationId, variables) {
      const station = cache.station(stationId);
      return station ? readBlocks(cache, { ...selection, variables }, station) : [];
    },
    gaps: ({ cache, record, session }, query, signal) =>
      readAllGaps({ cache, users, connectionId: record.id, nowMs: session.time().latestMs }, query, createPace(signal)),
    export: (connection, request, options) =>
      writeGuarded(request.path, () => exportSeries(connection.cache, dataSource(connection), request, options)),
    figure: draw,
    figureLook: () => createSettings(users).read().figure,
    serve(channel, windowId) {
      // Not when the application is created, because a command must not delete downloads of a window.
      void exportTasks.sweep();
      schedules.begin();
      changes.follow(connections.opened, users);
      serveChannel(handlers, events, channel, windowId);
    },
    async suspend() {
      restsFromSchedules = schedules.rest();
      await queue.suspend();
    },
    async resume() {
      await queue.resumeAll();
      if (restsFromSchedules) schedules.begin();
    },
    async close() {
      await schedules.close();
      await queue.suspend();
      await exportTasks.close();
      files.closeAll();
      await maintenance.stopAll();
      await bounds.stop();
      changes.stop();
      workload.stop();
      await connections.close();
      users.close();
      if (!hasOwnDownloads) rmSync(downloadFolder, { recursive: true, force: true });
      log.info("closed in order");
    },
  };
  const handlers = createHandlers({ app, ports, users, events, chosenFiles: new Set() });
  return app;
}

/** Sentences about the data folder and the records in it. */
function warningsOf({ refusal, damage }: UserStore, dataFolder: string): string[] {
  const share = shareWarning(dataFolder);
  return [
    ...(refusal === null ? [] : [refusal.message]),
    ...(share === null ? [] : [`${share} --data-folder names another folder.`]),
    ...(damage.length === 0 ? [] : [damageSentence(damage)]),
  ];
}

function damageSentence(damage: readonly string[]): string {
  const named = damage.slice(0, MAX_NAMED).join(", ");
  const more = damage.length > MAX_NAMED ? `, and ${damage.length - MAX_NAMED} more` : "";
  return (
    `Damaged records in user.db are not used: ${named}${more}. Delete or save them again, restore a backup with “zenith ` +
    "restore newest”, or remove them with “zenith restore --drop-damaged”. Until then, no new backup is made."
  );
}
