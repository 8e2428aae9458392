import { z } from "zod";
import type { CacheFindings, CacheStatistics, StationSize } from "#shared/series/cache.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, range, stationIds, variables } from "./schemas.ts";

/** Stations whose data was removed because the cache exceeded its maximum size. */
export interface CacheTrim {
  readonly atMs: UtcMs;
  readonly stationIds: readonly string[];
  readonly freedBytes: number;
}

/** How large the cache may become. Beyond that, the least recently used stations are removed, except pinned ones. */
export interface CacheMaximumSize {
  /** null: unlimited. */
  readonly maximumBytes: number | null;
  /** Size of the file without free pages. */
  readonly usedBytes: number;
  /** null if nothing was ever removed. */
  readonly last: CacheTrim | null;
}

export interface MovedCache {
  readonly path: string;
  /** A sentence about a problem of the new location, or null. */
  readonly warning: string | null;
  /** The old file if it could not be deleted; it is no longer used. */
  readonly oldLeftAt: string | null;
}

export interface RebuiltCache {
  readonly quarantinedPath: string | null;
  /** Rows copied from the damaged file. */
  readonly rows: number;
  /** Rows listed in the damaged file that could not be read; null if the list is unreadable. */
  readonly lostRows: number | null;
}

export interface RepairedCache {
  /** null if stopped. */
  readonly findings: CacheFindings | null;
  readonly rebuilt: RebuiltCache | null;
}

/** A damaged cache file in quarantine. */
export interface QuarantinedFile {
  /** File name in the folder of the cache. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly atMs: UtcMs;
}

/** Without a folder. */
const fileName = z.string().min(1).max(1_000);

/** Chosen by the caller; `workProgress` reports progress under this id. */
const workId = z.string().min(1).max(100);

/** A smaller cache is useless, and a typing error would empty it. */
const MIN_MAXIMUM_BYTES = 10_000_000;

/** The cache file of a connection. Faults of all: usage (including changes to a read-only session file), disk. */
export const cache = {
  /** Size of the file and of its contents. */
  statistics: method<CacheStatistics & { readonly path: string }>()(z.object({ connectionId })),
  /** Size of each station with data, and of pinned stations. */
  stations: method<StationSize[]>()(z.object({ connectionId })),
  /**
   * Removes rows and coverage of some stations (all: null) in a range (all: null), of some variables (all: null or
   * absent). Answers the number of rows that were removed or lost one of the variables. Continues after its window
   * closes. `workProgress` reports progress; `stopWork` stops it without restoring removed data.
   */
  forget: method<{ readonly rows: number; readonly isStopped: boolean }>()(
    z.object({
      workId: workId.optional(),
      connectionId,
      stationIds: stationIds.nullable(),
      range: range.nullable(),
      variables: variables.nullable().optional(),
    }),
  ),
  /**
   * Reads and checks the whole cache, which stays in use. Answers the findings, or null if stopped.
   * `workProgress` reports progress; `stopWork` stops it.
   */
  check: method<{ readonly findings: CacheFindings | null }>()(z.object({ connectionId, workId: workId.optional() })),
  /**
   * Removes damaged data, which then counts as not requested. A file whose structure is broken is moved to quarantine,
   * and its intact data copied to a new one: `rebuilt` describes it, else it is null. `workProgress` and `stopWork` as
   * for `check`.
   */
  repair: method<RepairedCache>()(z.object({ connectionId, workId: workId.optional() })),
  /** Quarantined files of a connection, newest first. */
  quarantine: method<QuarantinedFile[]>()(z.object({ connectionId })),
  /** Copies intact data that the cache lacks from a quarantined file. The file stays. */
  adoptQuarantined: method<RebuiltCache>()(z.object({ connectionId, name: fileName, workId: workId.optional() })),
  deleteQuarantined: method<null>()(z.object({ connectionId, name: fileName })),
  /** Stops work that reports by `workProgress`; answers after it has ended. */
  stopWork: method<null>()(z.object({ workId })),
  /**
   * Moves a damaged cache to quarantine and creates a new one from its intact data; downloads pause meanwhile.
   * Answers the path of the damaged file, or null if there was no damage.
   */
  rebuild: method<RebuiltCache>()(z.object({ connectionId, workId: workId.optional() })),
  /**
   * Returns free pages to the disk. Meanwhile the cache can be read, downloads pause and other writes are refused.
   * `workProgress` reports progress; `stopWork` stops it and leaves the file unchanged.
   */
  compact: method<CacheStatistics & { readonly path: string; readonly isStopped: boolean }>()(
    z.object({ connectionId, workId: workId.optional() }),
  ),
  /** Pinned stations are never removed to make room. */
  pin: method<null>()(z.object({ connectionId, stationIds, isPinned: z.boolean() })),
  maximumSize: method<CacheMaximumSize>()(z.object({ connectionId })),
  /** Sets the maximum size and applies it at once. Later it is applied in the background, and `cacheTrimmed` reports removals. */
  setMaximumSize: method<CacheMaximumSize>()(
    z.object({ connectionId, bytes: z.number().int().min(MIN_MAXIMUM_BYTES).nullable() }),
  ),
  /**
   * Moves the cache to a file that the user chose with `system.chooseSaveFile`. Downloads pause meanwhile. If it stops
   * for any reason, the old file stays in use. Faults: usage (not chosen, an export reads it), disk.
   */
  move: method<MovedCache>()(
    z.object({ connectionId, path: z.string().min(1).max(32_000), workId: workId.optional() }),
  ),
};
