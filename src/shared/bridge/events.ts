import type { CacheDamage } from "../series/cache.ts";
import type { ExportTask } from "./methods/export.ts";
import type { ClockDisagreement } from "../clocks.ts";
import type { Job } from "./methods/jobs.ts";
import type { Connectivity } from "./methods/connections.ts";
import type { ScheduleRun } from "../schedule/run.ts";
import type { Settings } from "./methods/settings.ts";

/** Events that the core sends to every window. */
export interface BridgeEvents {
  /** A connection was added, renamed or removed, or received a key. */
  readonly connectionsChanged: null;
  readonly connectivity: Connectivity;
  /** The clocks of a service and of this computer disagree, or agree again (null). */
  readonly clocksChanged: { readonly connectionId: string; readonly disagreement: ClockDisagreement | null };
  /** A catalogue was fetched, or a page of the first one arrived. */
  readonly catalogueChanged: { readonly connectionId: string };
  /** Rows or coverage changed, of any station if `stationIds` is null. At most a few times per second. */
  readonly cacheChanged: { readonly connectionId: string; readonly stationIds: readonly string[] | null };
  /** Damage was found in a cache; `cache.rebuild` moves the file to quarantine. */
  readonly cacheDamaged: { readonly connectionId: string; readonly message: string };
  /** Damaged rows were removed with their coverage and will be requested again. */
  readonly cacheRepaired: { readonly connectionId: string; readonly damages: readonly CacheDamage[] };
  /** Stations were removed because the cache exceeded its maximum size. */
  readonly cacheTrimmed: {
    readonly connectionId: string;
    readonly stationIds: readonly string[];
    readonly freedBytes: number;
    readonly maximumBytes: number;
    /** The remaining data exceeds the maximum size, but is pinned or being downloaded. */
    readonly isStillOver: boolean;
  };
  readonly jobChanged: Job;
  readonly jobRemoved: { readonly jobId: string };
  readonly exportChanged: ExportTask;
  readonly exportRemoved: { readonly exportId: string };
  /** A file was opened or closed; see `files.list`. */
  readonly filesChanged: null;
  /** The system asked to open files; the first window that calls `files.takeOffered` receives them. */
  readonly filesOffered: null;
  /** An export was saved, renamed or removed. */
  readonly savedExportsChanged: null;
  /** A schedule changed, or a run of one started, progressed or ended; see `schedules.list`. */
  readonly schedulesChanged: null;
  /** A run of a schedule ended, and the user wants a notification. */
  readonly scheduleEnded: { readonly name: string; readonly run: ScheduleRun };
  readonly settingsChanged: Settings;
  /** A view was saved, renamed or deleted. */
  readonly viewsChanged: null;
  /** Progress of long work, 0 to 1, under the id that its caller chose. */
  readonly workProgress: { readonly workId: string; readonly share: number };
  /** A command was chosen in the system's menu: its id in `COMMANDS`. */
  readonly command: { readonly command: string };
  /** The damaged file with the user's connections was restored: windows reload everything. */
  readonly recovered: null;
  /** The core stopped and was restarted; pending calls resolved to a fault of kind `core`. */
  readonly coreRestarted: { readonly reason: string };
}

export type BridgeEvent = {
  readonly [Name in keyof BridgeEvents]: { readonly name: Name; readonly data: BridgeEvents[Name] };
}[keyof BridgeEvents];
