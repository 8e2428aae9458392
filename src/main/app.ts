import { makeDataFolder } from "./dataFolder.ts";
import { resolve } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { NearestQuery } from "#shared/service/query.ts";
import type { CacheDamage } from "#shared/series/damage.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { type Connections, createConnections, type OpenConnection } from "./app/connections.ts";
import { serviceFault } from "./fault.ts";
import { type AppFault } from "#shared/fault.ts";
import { adoptCache, type Adoption, orphanedCaches } from "./app/adopt.ts";
import { createJobs, type Jobs } from "./app/jobs.ts";
import { type GapsQuery, readAllGaps } from "./app/reading/gaps.ts";
import { knownFailures } from "./app/reading/failures.ts";
import { createPace } from "./app/reading/pace.ts";
import { type MissingQuery, readMissing, storedMode } from "./app/reading/snapshot.ts";
import type { Absence } from "#shared/series/gap.ts";
import type { SeriesGaps } from "#shared/bridge/series.ts";
import { nearest } from "./app/nearest.ts";
import { station } from "./app/station.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import { exportSeries, type ExportOptions } from "./export/exportSeries.ts";
import { readBlocks } from "./export/source.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import type { CoreChannel } from "#shared/bridge/protocol.ts";
import { createEvents } from "./app/events.ts";
import { createCacheChanges } from "./app/cacheChanges.ts";
import { type ConnectivityWatch, createConnectivityWatch } from "./app/connectivity.ts";
import { createQueue, type JobQueue } from "./app/queue/queue.ts";
import { createSavedExports, type SavedExports } from "./app/exports/saved.ts";
import { createNotedWriter } from "./app/exports/noted.ts";
import { createExportTasks, type ExportTasks } from "./app/exports/tasks.ts";
import { createOpenFiles, type OpenFiles } from "./app/files/files.ts";
import { createSettings } from "./app/settings.ts";
import { type CacheLimits, createCacheLimits } from "./app/storage/limit.ts";
import { compactCache } from "./app/storage/compact.ts";
import { sweepDataFolder } from "./app/storage/leftovers.ts";
import { moveCache } from "./app/storage/move.ts";
import { createMoveNotes } from "./app/storage/moveNotes.ts";
import { createSessionFiles, type SessionFiles } from "./app/storage/sessionFiles.ts";
import { createOwnFiles } from "./app/storage/ownFiles.ts";
import { workingPlace } from "./app/storage/readOnly.ts";
import { log, startLog } from "./log/index.ts";
import { VERSION } from "./program.ts";
import { adoptQuarantined, rebuildCache, repairCache } from "./app/storage/rebuild.ts";
import { createWorks, type Works } from "./app/storage/works.ts";
import { createSavedViews } from "./app/savedViews.ts";
import type { OrphanedCache } from "#shared/bridge/connections.ts";
import type { MovedCache, RebuiltCache, RepairedCache } from "#shared/bridge/cache.ts";
import { createWorkload } from "./app/workload.ts";
import { systemClock } from "./sync/clock.ts";
import { createHandlers } from "./bridge/handlers.ts";
import { serveChannel } from "./bridge/serve.ts";
import type { Ports } from "./ports.ts";
import { openUserStore, shareWarning } from "./store/index.ts";
import type { ConnectionRecord, WorkPace } from "./store/types.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";
import { CATALOGUE_AGE_MS, currentCatalogue, refreshCatalogue } from "./sync/catalogue.ts";

/** The whole application, behind functions that every shell can call. */
/** Damage that was left out of the cache of a connection. */
export interface MendedCache {
  readonly connectionId: string;
  readonly damages: readonly CacheDamage[];
}

export interface App {
  /** What speaks against the place of the databases, in a sentence; null where nothing does. */
  readonly folderWarning: string | null;
  readonly connections: Connections;
  /** Under which name `workProgress` tells of the check of a cache that was not closed last time; null where there is none. */
  runningCheckOf(connectionId: string): string | null;
  readonly connectivity: ConnectivityWatch;
  /** Downloads that the caller waits for, as the command line does. */
  readonly jobs: Jobs;
  /** Downloads that outlive the windows and the program. */
  readonly queue: JobQueue;
  /** Exports that outlive the windows. */
  readonly exportTasks: ExportTasks;
  /** Files that are looked at beside the cache. */
  readonly files: OpenFiles;
  /** Exports that the user gave a name, to be repeated. */
  readonly savedExports: SavedExports;
  /** How large caches may be, and the room that is made for it. */
  readonly limits: CacheLimits;
  /** Files that hand views and data to somebody else. */
  readonly sessionFiles: SessionFiles;
  /** Work on caches that takes a while, and outlives the window that asked for it. */
  readonly works: Works;
  /** Caches of the data folder that lost their connection. */
  orphanedCaches(): OrphanedCache[];
  /** Makes a connection for a cache that has none. @throws StoreError */
  adoptCache(path: string, asked: Adoption): Result<ConnectionRecord, AppFault>;
  /** Moves the cache of a connection to another file. @throws StoreError */
  moveCache(
    connection: OpenConnection,
    path: string,
    onProgress?: (share: number) => void,
  ): Promise<Result<MovedCache, AppFault>>;
  /** Gives what was freed in a cache back to the disk. @throws StoreError, and the signal's reason */
  compactCache(connection: OpenConnection, pace: WorkPace): Promise<void>;
  /** Puts a damaged cache aside, and takes over what is sound in it. @throws StoreError */
  rebuildCache(connection: OpenConnection, pace: WorkPace): Promise<Result<RebuiltCache, AppFault>>;
  /** Leaves out what is damaged in a cache, and keeps the rest. @throws StoreError, and the signal's reason */
  repairCache(connection: OpenConnection, pace: WorkPace): Promise<Result<RepairedCache, AppFault>>;
  /** Takes over what is sound in a damaged file that was put aside, by its name. @throws StoreError */
  adoptQuarantined(connection: OpenConnection, name: string, pace: WorkPace): Promise<Result<RebuiltCache, AppFault>>;
  /** Damage that was met, and left out, since the application was made. */
  mended(): readonly MendedCache[];
  /** The catalogue: the kept one while it is young, else a fresh one; `fresh` asks the service in any case. */
  catalogue(
    connection: OpenConnection,
    fresh: boolean,
    signal: AbortSignal,
    patienceMs?: number,
  ): Promise<Result<Catalogue, AppFault>>;
  /** One station straight from the service. Faults: usage where it does not know it, key, network, service. */
  station(connection: OpenConnection, id: string, signal: AbortSignal): Promise<Result<CatalogueStation, AppFault>>;
  /** Why stations have no value of a variable around a moment, in their order. */
  missing(
    connection: OpenConnection,
    query: MissingQuery,
    stationIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Absence[]>;
  nearest(
    connection: OpenConnection,
    query: NearestQuery,
    signal: AbortSignal,
  ): Promise<Result<NearestAnswer, AppFault>>;
  /** Rows from the cache, averaged from native ones where the selection says `resampled`; none for an unknown station. */
  rows(
    connection: OpenConnection,
    selection: Pick<ExportRequest, "intervalSeconds" | "raw" | "range" | "resampled">,
    stationId: string,
    variables: readonly Variable[],
  ): Iterable<SeriesRows>;
  /** Why values of the cache are absent, station by station and variable by variable. */
  gaps(
    connection: OpenConnection,
    query: GapsQuery & { readonly stationIds: readonly string[]; readonly variables: readonly Variable[] },
    signal: AbortSignal,
  ): AsyncIterable<SeriesGaps>;
  export(
    connection: OpenConnection,
    request: ExportRequest,
    options: ExportOptions,
  ): Promise<Result<ExportReport, AppFault>>;
  /** Serves the bridge on a channel until it closes. `windowId` tells the shell above which window a dialog belongs. */
  serve(channel: CoreChannel, windowId: number | null): void;
  /** The computer is about to sleep: what runs stops in order. */
  suspend(): Promise<void>;
  /** What was stopped by `suspend` goes on. */
  resume(): Promise<void>;
  /** Stops everything in order; jobs under way go on with the next start. */
  close(): Promise<void>;
}

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
    onMended(connectionId, damages) {
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
  const files = createOpenFiles(events);
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
    savedExports: createSavedExports(users),
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
        : await currentCatalogue(session, CATALOGUE_AGE_MS, signal, patienceMs);
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
    serve(channel, windowId) {
      // Not where the application is made: a command beside a window must not take its downloads away.
      void exportTasks.sweep();
      serveChannel(handlers, events, channel, windowId);
    },
    suspend: () => queue.suspend(),
    resume: () => queue.resumeAll(),
    async close() {
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
