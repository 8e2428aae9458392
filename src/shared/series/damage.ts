import type { Variable } from "../service/variables.ts";
import type { TimeRange } from "../time/range.ts";
import type { SeriesMode } from "./rows.ts";

/**
 * Something in a cache that is not as it was written.
 *
 * | what | meaning |
 * |---|---|
 * | rows | the rows of the range are damaged; repair drops them and they are asked again |
 * | coverage | the rows are sound, but not proven to be all; repair keeps them and they are asked again |
 * | summary | only what is derived from the rows is damaged; repair makes it anew and nothing is lost |
 */
export interface CacheDamage extends SeriesMode {
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly what: "rows" | "coverage" | "summary";
}

/** What a look at a whole cache found. */
export interface CacheFindings {
  readonly damages: readonly CacheDamage[];
  /** What is wrong with the file itself, which only a new file can mend; null where nothing is. */
  readonly structure: string | null;
}
