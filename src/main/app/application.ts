import type { Result } from "#shared/service/error.ts";
import type { NearestQuery } from "#shared/service/query.ts";
import type { CacheDamage } from "#shared/series/damage.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { Connections, OpenConnection } from "./connections/connections.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Adoption } from "./connections/adopt.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { GapsQuery } from "./reading/gaps.ts";
import type { MissingQuery } from "./reading/snapshot.ts";
import type { Absence } from "#shared/series/gap.ts";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { NearestAnswer } from "#shared/service/nearest.ts";
import type { ExportOptions } from "../export/exportSeries.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import type { CoreChannel } from "#shared/bridge/transport/protocol.ts";
import type { ConnectivityWatch } from "./connections/connectivity.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import type { DrawFigure } from "./exports/figure.ts";
import type { SavedExports } from "./exports/saved.ts";
import type { SiteMatches } from "./comparison/matches.ts";
import type { ExportTasks } from "./exports/tasks.ts";
import type { ColumnChoices } from "./files/columns.ts";
import type { OpenFiles } from "./files/files.ts";
import type { ScheduleRunner } from "./schedules/run.ts";
import type { Schedules } from "./schedules/scheduler.ts";
import type { CacheLimits } from "./storage/limit.ts";
import type { SessionFiles } from "./storage/sessionFiles.ts";
import type { Works } from "./storage/works.ts";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import type { MovedCache, RebuiltCache, RepairedCache } from "#shared/bridge/methods/cache.ts";
import type { ConnectionRecord, WorkPace } from "../store/types.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";

/** Damage that was left out of the cache of a connection. */
export interface MendedCache {
  readonly connectionId: string;
  readonly damages: readonly CacheDamage[];
}

/** The whole application, behind functions that every shell can call. */
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
  /** Matches of sites that the user chose. */
  readonly siteMatches: SiteMatches;
  /** What columns of tables of text hold, as the user chose it. */
  readonly columnChoices: ColumnChoices;
  /** Downloads and exports that repeat. */
  readonly schedules: Schedules;
  /** Runs one of them for a caller that waits for its end, as the command line does. */
  readonly scheduleRunner: ScheduleRunner;
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
  readonly figure: DrawFigure;
  /** How the user saves figures. */
  figureLook(): FigureSettings;
  /** Serves the bridge on a channel until it closes. `windowId` tells the shell above which window a dialog belongs. */
  serve(channel: CoreChannel, windowId: number | null): void;
  /** The computer is about to sleep: what runs stops in order. */
  suspend(): Promise<void>;
  /** What was stopped by `suspend` goes on. */
  resume(): Promise<void>;
  /** Stops everything in order; jobs under way go on with the next start. */
  close(): Promise<void>;
}
