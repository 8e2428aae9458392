import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";
import type { SeriesMode } from "./rows.ts";

export interface CacheStatistics {
  /** Of the data: what a maximum size limits. */
  readonly usedBytes: number;
  /** On disk, with the log of the database and freed space. */
  readonly fileBytes: number;
  readonly rows: number;
  readonly chunks: number;
  readonly stations: number;
  /** Time of the newest observation; null without any. */
  readonly newestMs: UtcMs | null;
}

/** Size of the cached data of one station. */
export interface StationSize {
  readonly stationId: string;
  /** Compressed values of each variable, without times, pyramids and overhead of the file. */
  readonly bytes: Partial<Record<Variable, number>>;
  readonly totalBytes: number;
  /** From the first to the last requested moment; null if nothing was requested. */
  readonly asked: TimeRange | null;
  /** When it was last downloaded or shown; null if unknown. */
  readonly usedAtMs: UtcMs | null;
  /** Pinned stations are never removed to make room. */
  readonly isPinned: boolean;
}

/** Damage in a cache: repair removes the data of this range with their coverage, so that they are requested again. */
export interface CacheDamage extends SeriesMode {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/** Result of checking a whole cache. */
export interface CacheFindings {
  readonly damages: readonly CacheDamage[];
  /** Damage of the file's structure, which can only be repaired by a new file, or null. */
  readonly structure: string | null;
}
