import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import type { UtcMs } from "../time/utc.ts";

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
