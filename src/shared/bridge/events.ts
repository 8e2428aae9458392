import type { CacheDamage } from "../series/damage.ts";
import type { ExportTask } from "./methods/export.ts";
import type { ClockDisagreement } from "../clocks.ts";
import type { Job } from "./methods/jobs.ts";
import type { Connectivity } from "./methods/connections.ts";
import type { ScheduleRun } from "../schedule/run.ts";
import type { Settings } from "./methods/settings.ts";

/** What the core tells every window, without being asked. */
export interface BridgeEvents {
  /** A connection was added, renamed, removed, or got a key. */
  readonly connectionsChanged: null;
  readonly connectivity: Connectivity;
  /** The clocks of a service and of this computer came to disagree, or agree again (null). */
  readonly clocksChanged: { readonly connectionId: string; readonly disagreement: ClockDisagreement | null };
  readonly catalogueChanged: { readonly connectionId: string };
  /** Rows or coverage changed; `stationIds: null` may be any. At most a few times a second. */
  readonly cacheChanged: { readonly connectionId: string; readonly stationIds: readonly string[] | null };
  /** Damage was found in a cache; `cache.rebuild` puts it aside. */
  readonly cacheDamaged: { readonly connectionId: string; readonly message: string };
  /** Damaged rows were left out, or what is covered was doubted: that is asked again. */
  readonly cacheMended: { readonly connectionId: string; readonly damages: readonly CacheDamage[] };
  /** Stations were forgotten because the cache was larger than its limit. */
  readonly cacheTrimmed: {
    readonly connectionId: string;
    readonly stationIds: readonly string[];
    readonly freedBytes: number;
    readonly limitBytes: number;
    /** All that is left is pinned or being downloaded, and still more than the limit. */
    readonly isStillOver: boolean;
  };
  readonly jobChanged: Job;
  readonly jobRemoved: { readonly jobId: string };
  readonly exportChanged: ExportTask;
  readonly exportRemoved: { readonly exportId: string };
  /** A file was opened or closed: `files.list` tells. */
  readonly filesChanged: null;
  /** The system asked to open files: the first window that calls `files.takeOffered` gets them. */
  readonly filesOffered: null;
  /** An export was saved, renamed or removed. */
  readonly savedExportsChanged: null;
  /** A schedule was changed, or a run of one began, went on or ended: `schedules.list` tells. */
  readonly schedulesChanged: null;
  /** A run of a schedule ended of which the user wants to be told. */
  readonly scheduleEnded: { readonly name: string; readonly run: ScheduleRun };
  readonly settingsChanged: Settings;
  /** A view was saved, renamed or deleted. */
  readonly viewsChanged: null;
  /** How far work is that takes a while: under the name that its caller gave it, 0 to 1. */
  readonly workProgress: { readonly workId: string; readonly share: number };
  /** A command of the system's menu: the id of a command of the palette. */
  readonly command: { readonly command: string };
  /** The file with the user's connections was damaged and is open now: windows begin anew. */
  readonly recovered: null;
  /** The core stopped and was started again; calls under way were answered with a fault of kind `engine`. */
  readonly engineRestarted: { readonly reason: string };
}

export type BridgeEvent = {
  readonly [Name in keyof BridgeEvents]: { readonly name: Name; readonly data: BridgeEvents[Name] };
}[keyof BridgeEvents];
