import type { Result } from "#shared/service/error.ts";
import type { NearestAnswer, NearestQuery } from "#shared/service/query.ts";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { Connections, OpenConnection } from "./connections/connections.ts";
import type { AppFault } from "#shared/fault.ts";
import type { AdoptOverrides } from "./connections/adopt.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { GapsQuery } from "./reading/gaps.ts";
import type { MissingQuery } from "./reading/snapshot.ts";
import type { Absence } from "#shared/series/gap.ts";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { ExportOptions } from "../export/exportSeries.ts";
import type { ExportReport, ExportRequest } from "#shared/file/export.ts";
import type { CoreChannel } from "#shared/bridge/transport/protocol.ts";
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
import type { CacheMaintenance } from "./storage/cacheMaintenance.ts";
import type { MaximumSizes } from "./storage/maximumSize.ts";
import type { StationGroup } from "#shared/station/group.ts";
import type { SessionFiles } from "./storage/sessionFiles.ts";
import type { MaintenanceTasks } from "./storage/maintenanceTasks.ts";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import type { ConnectionRecord } from "../store/user/types.ts";
import type { Catalogue, CatalogueStation } from "#shared/service/catalogue.ts";

/** Damaged data that was removed from the cache of a connection. */
export interface RepairedCache {
  readonly connectionId: string;
  readonly damages: readonly CacheDamage[];
}

/** The whole application, behind functions that every shell can call. */
export interface App {
  /** Sentences about the data folder: a place that harms, a disk that cannot be written, damaged records. */
  readonly warnings: readonly string[];
  /** For files that a window offers for download: in the data folder, unless nothing can be written there. */
  readonly downloadFolder: string;
  readonly connections: Connections;
  /** Downloads that the caller waits for, as the command line does. */
  readonly jobs: Jobs;
  /** Downloads that outlive the windows and the program. */
  readonly queue: JobQueue;
  /** Exports that outlive the windows. */
  readonly exportTasks: ExportTasks;
  /** Files that the user opened to view beside the cache. */
  readonly files: OpenFiles;
  /** Exports that the user saved under a name. */
  readonly savedExports: SavedExports;
  /** Changes groups of stations: `before` are the groups as the caller knows them. */
  changeGroups(before: readonly StationGroup[], after: readonly StationGroup[]): void;
  /** Matches of sites that the user chose. */
  readonly siteMatches: SiteMatches;
  /** The meaning of columns in text tables, as the user chose it. */
  readonly columnChoices: ColumnChoices;
  /** Downloads and exports that repeat. */
  readonly schedules: Schedules;
  /** Runs one schedule for a caller that waits for the end, such as the command line. */
  readonly scheduleRunner: ScheduleRunner;
  /** Maximum sizes of caches, and the removal of data to meet them. */
  readonly maximumSizes: MaximumSizes;
  /** Files that share views and data with somebody else. */
  readonly sessionFiles: SessionFiles;
  readonly cacheMaintenance: CacheMaintenance;
  /** Long-running maintenance of caches; outlives the window that started it. */
  readonly maintenance: MaintenanceTasks;
  /** Caches in the data folder that belong to no connection. */
  orphanedCaches(): OrphanedCache[];
  /** Creates a connection for a cache without one. @throws StoreError */
  adoptCache(path: string, overrides: AdoptOverrides): Result<ConnectionRecord, AppFault>;
  /** Damaged data that was found and removed since the application started. */
  repairs(): readonly RepairedCache[];
  /** The cached catalogue while it is recent, else the one of the service; `fresh` always requests it. */
  catalogue(
    connection: OpenConnection,
    fresh: boolean,
    signal: AbortSignal,
    patienceMs?: number,
  ): Promise<Result<Catalogue, AppFault>>;
  /** Requests one station from the service. Faults: usage if the service does not know it, key, network, service. */
  station(connection: OpenConnection, id: string, signal: AbortSignal): Promise<Result<CatalogueStation, AppFault>>;
  /** Why stations have no value of a variable around a moment, in their order. */
  missing(connection: OpenConnection, query: MissingQuery, signal: AbortSignal): Promise<Absence[]>;
  nearest(
    connection: OpenConnection,
    query: NearestQuery,
    signal: AbortSignal,
  ): Promise<Result<NearestAnswer, AppFault>>;
  /**
   * Rows from the cache, averaged from native ones if the selection is `resampled`, with a zone over its days; none for an
   * unknown station.
   */
  rows(
    connection: OpenConnection,
    selection: Pick<ExportRequest, "intervalSeconds" | "raw" | "range" | "resampled" | "zone">,
    stationId: string,
    variables: readonly Variable[],
  ): Iterable<SeriesRows>;
  /** Causes of the gaps in the cache, station by station and variable by variable. */
  gaps(
    connection: OpenConnection,
    query: GapsQuery & { readonly stationIds: readonly string[]; readonly variables: readonly Variable[] },
    signal: AbortSignal,
  ): Promise<SeriesGaps[]>;
  export(
    connection: OpenConnection,
    request: ExportRequest,
    options: ExportOptions,
  ): Promise<Result<ExportReport, AppFault>>;
  readonly figure: DrawFigure;
  /** The user's settings for saved figures. */
  figureLook(): FigureSettings;
  /** Serves the bridge on a channel until it closes. `windowId` tells the shell which window owns a dialog. */
  serve(channel: CoreChannel, windowId: number | null): void;
  /** Stops jobs in order because the computer is about to sleep. */
  suspend(): Promise<void>;
  /** Continues the jobs that `suspend` stopped. */
  resume(): Promise<void>;
  /** Stops everything in order; running jobs continue after the next start. */
  close(): Promise<void>;
}
