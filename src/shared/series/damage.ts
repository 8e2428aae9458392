import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import type { SeriesMode } from "./rows.ts";

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
