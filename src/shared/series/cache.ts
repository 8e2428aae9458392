import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";
import type { SeriesMode } from "./rows.ts";

export interface CacheStatistics {
  readonly fileBytes: number;
  readonly rows: number;
  readonly chunks: number;
  readonly extents: number;
  readonly stations: number;
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
  /** Pinned stations are never removed to meet the limit of the cache. */
  readonly isPinned: boolean;
}

/**
 * Damage in a cache.
 *
 * | what | meaning |
 * |---|---|
 * | rows | the rows of the range are damaged; repair removes them, and they are requested again |
 * | coverage | the rows are intact, but possibly incomplete; repair keeps them, and they are requested again |
 * | summary | only data derived from the rows is damaged; repair rebuilds it without loss |
 */
export interface CacheDamage extends SeriesMode {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly what: "rows" | "coverage" | "summary";
}

/** Result of checking a whole cache. */
export interface CacheFindings {
  readonly damages: readonly CacheDamage[];
  /** Damage of the file's structure, which can only be repaired by a new file, or null. */
  readonly structure: string | null;
}
