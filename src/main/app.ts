import { makeDataFolder } from "./dataFolder.ts";
import { resolve } from "node:path";
import { failure, success } from "#shared/service/error.ts";
import { createConnections } from "./app/connections/connections.ts";
import { serviceFault } from "./fault.ts";
import { adoptCache, orphanedCaches } from "./app/connections/adopt.ts";
import { createJobs } from "./app/jobs/jobs.ts";
import { type DrawFigure, writeFigure } from "./app/exports/figure.ts";
import { readAllGaps } from "./app/reading/gaps.ts";
import { knownFailures } from "./app/reading/failures.ts";
import { createPace } from "./app/reading/pace.ts";
import { readMissing, storedMode } from "./app/reading/snapshot.ts";
import { nearest } from "./app/stations/nearest.ts";
import { station } from "./app/stations/stations.ts";
import { exportSeries } from "./export/exportSeries.ts";
import { readBlocks } from "./export/source.ts";
import { createEvents } from "./app/events.ts";
import { createCacheChanges } from "./app/cacheChanges.ts";
import { createConnectivityWatch } from "./app/connections/connectivity.ts";
import { createQueue } from "./app/jobs/queue.ts";
import { createSavedExports } from "./app/exports/saved.ts";
import { createNotedWriter } from "./app/exports/noted.ts";
import { createExportTasks } from "./app/exports/tasks.ts";
import { createColumnChoices } from "./app/files/columns.ts";
import { createOpenFiles } from "./app/files/files.ts";
import { createRecentFiles } from "./app/files/recent.ts";
import { createKeptSchedules } from "./app/schedules/kept.ts";
import { downloadInQueue } from "./app/schedules/download.ts";
import { createTeller } from "./app/schedules/notice.ts";
import { createScheduleRunner } from "./app/schedules/run.ts";
import { createSchedules } from "./app/schedules/scheduler.ts";
import { createSettings } from "./app/settings.ts";
import { createCacheLimits } from "./app/storage/limit.ts";
import { createSiteMatches } from "./app/comparison/matches.ts";
import { compactCache } from "./app/storage/compact.ts";
import { sweepDataFolder } from "./app/storage/leftovers.ts";
import { moveCache } from "./app/storage/move.ts";
import { createMoveNotes } from "./app/storage/moveNotes.ts";
import { createSessionFiles } from "./app/storage/sessionFiles.ts";
import { createOwnFiles } from "./app/storage/ownFiles.ts";
import { workingPlace } from "./app/storage/readOnly.ts";
import { log, startLog } from "./log/index.ts";
import { VERSION } from "./program.ts";
import { adoptQuarantined, rebuildCache, repairCache } from "./app/storage/rebuild.ts";
import { createWorks } from "./app/storage/works.ts";
import { createSavedViews } from "./app/savedViews.ts";
import { createWorkload } from "./app/workload.ts";
import { systemClock } from "./sync/clock.ts";
import { createHandlers } from "./bridge/handlers.ts";
import { serveChannel } from "./bridge/serve.ts";
import type { Ports } from "./ports.ts";
import { openUserStore, shareWarning } from "./store/index.ts";
import { MAX_CATALOGUE_AGE_MS, currentCatalogue, refreshCatalogue } from "./sync/catalogue.ts";
import type { App, MendedCache } from "./app/application.ts";

export type { App } from "./app/application.ts";

/**
 * Makes the application on the ports of a shell. Opens `user.db` at once, caches when their connection is opened.
 *
 * @throws StoreError where `user.db` cannot be opened
 */
export function createApp(given: Ports): App {
  makeDataFolder(given.dataFolder);
  const place = workingPlace(given.dataFolder);
  startLog(place.folder, given.desktop === undefined ? "command" : "core");
  log.info(`Zenith Desk ${VERSION} opens ${given.dataFolder} (Node.js ${process.versions.node}, ${process.platform})`);
  const ports = { ...given, dataFolder: place.folder, copyOfCache: place.copyOf };
  const users = place.users(openUserStore);
  const events = createEvents();
  const clock = ports.clock ?? systemClock;
  const workload = createWorkload(ports.desktop, clock, () => createSettings(users).read().notify);
  const changes = createCacheChanges(events, clock);
  const connectivity = createConnectivityWatch(clock, (told) => events.emit("connectivity", told));
  const checked = new Set<string>();
  const mended: MendedCache[] = [];
  const connections = createConnections(ports, users, {
    onRequest: connectivity.note,
    onCommit(connectionId, stationIds) {
      changes.note(connectionId, stationIds);
      limits.note(connectionId);
    },
    onClocks: (connectionId, disagreement) => events.emit("clocksChanged", { connectionId, disagreement }),
    onDamage: (connectionId, message) => events.emit("cacheDamaged", { connectionId, message }),
    onRepaired(connectionId, damages) {
      mended.push({ connectionId, damages });
      events.emit("cacheMended", { connectionId, damages });
      changes.note(connectionId, [...new Set(damages.map(({ stationId }) => stationId))]);
    },
    onCheck(connectionId, share) {
      if (share < 1) checked.add(connectionId);
      else checked.delete(connectionId);
      events.emit("workProgress", { workId: checkIdOf(connectionId), share });
    },
    async beforeRemove(connectionId) {
      noteRemoval(connectionId);
      await queue.drop(connectionId);
      await exportTasks.drop(connectionId);
      await works.stop(connectionId);
      connectivity.forget(connectionId);
    },
  });
  /** A kill in the middle leaves a cache without a connection, which the next start deletes. */
  const noteRemoval = (connectionId: string): void => {
    const record = users.connections().find(({ id }) => id === connectionId);
    const path = resolve(ports.dataFolder, record?.cacheFile ?? `cache-${connectionId}.db`);
    const note = { from: path, to: path };
    moves.begin(note);
    moves.leave(note);
  };
  const queue = createQueue({ users, connections, events, clock, workload });
  const limits = createCacheLimits({ connections, jobs: () => queue.list(), events, clock });
  const jobs = createJobs(users);
  const moves = createMoveNotes(users, ports.dataFolder);
  const ownFiles = createOwnFiles(users, ports.dataFolder);
  const noted = createNotedWriter(moves, ownFiles);
  const exportTasks = createExportTasks({
    dataFolder: ports.dataFolder,
    noted,
    jobs,
    events,
    clock,
    workload,
    desktop: ports.desktop,
  });
  const savedExports = createSavedExports(users);
  const keptSchedules = createKeptSchedules(users);
  const { dataFolder } = ports;
  const draw: DrawFigure = (connection, request, signal) =>
    noted(request.path, () => writeFigure(connection, users, request, signal));
  const scheduleRunner = createScheduleRunner({
    kept: keptSchedules,
    connections,
    jobs,
    queue,
    savedExports,
    noted,
    draw,
    look: () => createSettings(users).read().figure,
    clock,
    dataFolder,
  });
  const schedules = createSchedules({
    kept: keptSchedules,
    runner: scheduleRunner,
    download: downloadInQueue({ queue, events, users }),
    events,
    clock,
    dataFolder,
    tell: createTeller(ports.desktop, events, () => createSettings(users).read().notify),
  });
  const columnChoices = createColumnChoices(users);
  const files = createOpenFiles(
    events,
    createRecentFiles(users, () => clock.wallMs()),
    columnChoices,
  );
  const works = createWorks(events, clock);
  sweepDataFolder(ports.dataFolder);
  try {
    moves.tidy();
  } catch {
    // What is left of a move or an export is no reason not to start; the next start tries again.
  }
  const isExporting = (connectionId: string): boolean =>
    exportTasks.list().some((task) => task.connectionId === connectionId && task.state === "running");
  const sessionFiles = createSessionFiles({
    dataFolder: ports.dataFolder,
    connections,
    views: createSavedViews(users),
    notes: moves,
    ownFiles,
    nowMs: () => clock.wallMs(),
  });
  let isServed = false;
  const app: App = {
    folderWarning: place.warning ?? shareWarning(given.dataFolder),
    connections,
    runningCheckOf: (connectionId) => (checked.has(connectionId) ? checkIdOf(connectionId) : null),
    connectivity,
    jobs,
    queue,
    exportTasks,
    files,
    limits,
    sessionFiles,
    works,
    savedExports,
    siteMatches: createSiteMatches(users),
    columnChoices,
    schedules,
    scheduleRunner,
    orphanedCaches: () => orphanedCaches(users, ports.dataFolder),
    adoptCache: (path, asked) => adoptCache(users, ports.dataFolder, path, asked),
    moveCache: (connection, path, onProgress) =>
      moveCache({ connections, queue, isExporting, notes: moves, ownFiles }, connection, path, onProgress),
    compactCache: (connection, pace) => compactCache({ queue }, connection, pace),
    rebuildCache: (connection, pace) => rebuildCache({ connections, queue, isExporting }, connection, pace),
    repairCache: (connection, pace) => repairCache({ connections, queue, isExporting }, connection, pace),
    adoptQuarantined: (connection, name, pace) =>
      adoptQuarantined({ connections, queue, isExporting }, connection, name, pace),
    mended: () => mended,
    async catalogue({ session }, fresh, signal, patienceMs) {
      const answer = fresh
        ? await refreshCatalogue(session, signal, patienceMs)
        : await currentCatalogue(session, MAX_CATALOGUE_AGE_MS, signal, patienceMs);
      return answer.ok ? success(answer.value) : failure(serviceFault(answer.error));
    },
    missing({ cache, record }, query, stationIds, signal) {
      const failures = knownFailures(users, record.id, storedMode(query.mode));
      return readMissing(cache, query, stationIds, failures, createPace(signal));
    },
    nearest,
    station,
    rows({ cache }, selection, stationId, variables) {
      const station = cache.station(stationId);
      return station ? readBlocks(cache, selection, station, variables) : [];
    },
    gaps: ({ cache, record, session }, query, signal) =>
      readAllGaps({ cache, users, connectionId: record.id, nowMs: session.time().latestMs }, query, createPace(signal)),
    export: (connection, request, options) =>
      noted(request.path, () => exportSeries(connection.cache, connection.session.client.origin, request, options)),
    figure: draw,
    figureLook: () => createSettings(users).read().figure,
    serve(channel, windowId) {
      // Not where the application is made: a command beside a window must not take its downloads away.
      void exportTasks.sweep();
      isServed = true;
      schedules.begin();
      serveChannel(handlers, events, channel, windowId);
    },
    async suspend() {
      schedules.rest();
      await queue.suspend();
    },
    async resume() {
      await queue.resumeAll();
      if (isServed) schedules.begin();
    },
    async close() {
      await schedules.close();
      await queue.suspend();
      await exportTasks.close();
      files.closeAll();
      await works.stopAll();
      await limits.stop();
      changes.stop();
      workload.stop();
      await connections.close();
      users.close();
      place.close();
      log.info("closed in order");
    },
  };
  const handlers = createHandlers({ app, ports, users, events, chosenFiles: new Set() });
  return app;
}

function checkIdOf(connectionId: string): string {
  return `check of ${connectionId}`;
}
