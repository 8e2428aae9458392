import { z } from "zod";
import type { CacheStatistics } from "../series/cacheStatistics.ts";
import { method } from "./method.ts";
import { connectionId, range, stationIds } from "./words.ts";

/** The cache file of a connection. Faults of all: usage, disk. */
export const cache = {
  /** Size of the file and of what is in it. */
  statistics: method<CacheStatistics & { readonly path: string }>()(z.object({ connectionId })),
  /** Forgets rows and what was asked, of some stations (all: null) in a range (all: null). Answers how many rows. */
  forget: method<{ readonly rows: number }>()(
    z.object({ connectionId, stationIds: stationIds.nullable(), range: range.nullable() }),
  ),
  /** Reads everything and checks it; takes seconds for a large cache. Answers what is wrong, or null. */
  check: method<{ readonly damage: string | null }>()(z.object({ connectionId })),
  /** Gives freed room back to the disk. */
  compact: method<CacheStatistics & { readonly path: string }>()(z.object({ connectionId })),
};
