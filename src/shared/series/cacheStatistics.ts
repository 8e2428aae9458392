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

/** What the cache holds of one station, and how the user keeps it. */
export interface StationSize {
  readonly stationId: string;
  /** Compressed values of each variable; times, plot pyramids and the order of the file come on top. */
  readonly bytes: Partial<Record<Variable, number>>;
  readonly totalBytes: number;
  /** From the first to the last moment that was asked; null where nothing was. */
  readonly asked: TimeRange | null;
  /** When it was last fetched or looked at; null where that was never noted. */
  readonly usedAtMs: UtcMs | null;
  /** Never forgotten to make room. */
  readonly isPinned: boolean;
}
