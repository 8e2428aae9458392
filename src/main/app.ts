import { makeDataFolder } from "./dataFolder.ts";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { temporaryName } from "#formats/leftovers.ts";
import { failure, success } from "#shared/service/error.ts";
import { Connections } from "./app/connections/connections.ts";
import { faultOf, serviceFault } from "./fault.ts";
import { adoptCache, orphanedCaches } from "./app/connections/adopt.ts";
import { Jobs } from "./app/jobs/jobs.ts";
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
import { Events } from "./app/events.ts";
import { CacheChanges } from "./app/cacheChanges.ts";
import { sweepRefreshes } from "./app/jobs/refresh.ts";
import { JobQueue } from "./app/jobs/queue.ts";
import { SavedExports } from "./app/exports/saved.ts";
import { ExportTasks } from "./app/exports/tasks.ts";
import { ColumnChoices } from "./app/files/columns.ts";
import { OpenFiles } from "./app/files/files.ts";
import { RecentFiles } from "./app/files/recent.ts";
import { ScheduleStore } from "./app/schedules/scheduleStore.ts";
import { downloadInQueue } from "./app/schedules/download.ts";
import { createRunNotifier, Schedules } from "./app/schedules/scheduler.ts";
import { ScheduleRunner } from "./app/schedules/run.ts";
import { SettingsStore } from "./app/settings.ts";
import { MaximumSizes } from "./app/storage/maximumSize.ts";
import { SiteMatches } from "./app/comparison/matches.ts";
import { CacheMaintenance } from "./app/storage/cacheMaintenance.ts";
import { MaintenanceTasks } from "./app/storage/maintenanceTasks.ts";
import { createGuardedWrite, OwnFiles, sweepDataFolder } from "./app/storage/ownFiles.ts";
import { temporaryData } from "./app/storage/temporaryData.ts";
import { SessionFiles } from "./app/storage/sessionFiles.ts";
import { finishInterrupted } from "./app/storage/unfinished.ts";
import { log, startLog } from "./log/index.ts";
import { VERSION } from "./program.ts";
import { SavedViews } from "./app/savedViews.ts";
import { Workload } from "./app/workload.ts";
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
  const events = new Events();
  const clock = ports.clock ?? systemClock;
  const workload = new Workload(ports.desktop, clock, () => new SettingsStore(users).read().notify);
  const changes = new CacheChanges(events, clock);
  const repairs: RepairedCache[] = [];
  const connections = new Connections(ports, users, {
    onConnectivity: (connectivity) => events.emit("connectivity", connectivity),
    onCommit(connectionId, stationIds) {
      changes.note(connectionId, stationIds);
      maximumSizes.note(connectionId);
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
  const queue = new JobQueue({ users, connections, events, clock, workload });
  const maximumSizes = new MaximumSizes({ connections, jobs: () => queue.list(), events, clock });
  const jobs = new Jobs(users);
  const ownFiles = new OwnFiles(users, dataFolder);
  const writeGuarded = createGuardedWrite(ownFiles);
  const hasOwnDownloads = users.refusal === null;
  const downloadFolder = hasOwnDownloads ? resolve(dataFolder, "exports") : join(tmpdir(), temporaryName());
  const exportTasks = new ExportTasks({
    downloadFolder,
    dataFolder,
    writeGuarded,
    jobs,
    events,
    clock,
    workload,
    desktop: ports.desktop,
  });
  const savedExports = new SavedExports(users);
  const scheduleStore = new ScheduleStore(users);
  const draw: DrawFigure = (connection, request, signal) =>
    writeGuarded(request.path, () => writeFigure(connection, users, request, signal));
  const scheduleRunner = new ScheduleRunner({
    store: scheduleStore,
    connections,
    jobs,
    queue,
    savedExports,
    writeGuarded,
    draw,
    look: () => new SettingsStore(users).read().figure,
    clock,
    dataFolder,
  });
  const schedules = new Schedules({
    store: scheduleStore,
    runner: scheduleRunner,
    download: downloadInQueue({ queue, events, users }),
    events,
    clock,
    dataFolder,
    notify: createRunNotifier(ports.desktop, events, () => new SettingsStore(users).read().notify),
  });
  const columnChoices = new ColumnChoices(users);
  const files = new OpenFiles(events, new RecentFiles(users, () => clock.wallMs()), columnChoices, {
    scratchFolder: () => temporaryData(dataFolder),
  });
  const maintenance = new MaintenanceTasks(events, clock);
  if (users.refusal === null) {
    sweepDataFolder(dataFolder);
    finishInterrupted(users, dataFolder);
    sweepRefreshes(users);
  }
  const cacheMaintenance = new CacheMaintenance({
    connections,
    queue,
    isExporting: (connectionId) =>
      exportTasks.list().some((task) => task.connectionId === connectionId && task.state === "running"),
    users,
    ownFiles,
  });
  const sessionFiles = new SessionFiles({
    dataFolder,
    connections,
    views: new SavedViews(users),
    openedFiles: () => files.list(),
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
    maximumSizes,
    sessionFiles,
    cacheMaintenance,
    maintenance,
    savedExports,
    changeGroups: (before, after) => void new SettingsStore(users).changeGroups(before, after),
    siteMatches: new SiteMatches(users),
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
    figureLook: () => new SettingsStore(users).read().figure,
    serve(channel, windowId) {
      // Not when the application is created, because a command must not delete downloads of a window.
      void exportTasks.sweep();
      schedules.begin();
      changes.follow(() => connections.opened(), users);
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
      await maximumSizes.stop();
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
