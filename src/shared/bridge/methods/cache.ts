import { z } from "zod";
import type { CacheStatistics, StationSize } from "#shared/series/cacheStatistics.ts";
import type { CacheFindings } from "#shared/series/damage.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, range, stationId, stationIds, variables } from "./words.ts";

/** Stations whose data was forgotten because the cache was larger than its limit. */
export interface MadeRoom {
  readonly atMs: UtcMs;
  readonly stationIds: readonly string[];
  readonly freedBytes: number;
}

/** How large the cache may be. Beyond it, stations used longest ago are forgotten; pinned ones never. */
export interface CacheLimit {
  /** null: as large as it gets. */
  readonly limitBytes: number | null;
  /** What counts: the file without what was freed and not given back to the disk yet. */
  readonly usedBytes: number;
  /** When room was made last; null where it never was. */
  readonly last: MadeRoom | null;
}

const samplePiece = z.object({ stationId, variable: variableSchema, range });

/** A piece of what is cached and final: every observation of one variable of one station. */
export type SamplePiece = z.output<typeof samplePiece>;

export interface SampleCost {
  readonly points: number;
  /** As many as fit what the service was seen to give out at a time. */
  readonly requests: number;
  /** No limit of the service is known: what it refuses for its size is asked again in halves. */
  readonly mayBeMore: boolean;
}

export interface RevisedRow {
  readonly kind: "revised" | "deleted" | "added";
  readonly timeMs: UtcMs;
  /** null: no value. */
  readonly before: number | string | null;
  readonly after: number | string | null;
}

/** What the service says of a piece now, beside what the cache had. */
export interface ComparedPiece extends SamplePiece {
  readonly same: number;
  readonly revised: number;
  readonly deleted: number;
  readonly added: number;
  /** The first few that are not the same. */
  readonly examples: readonly RevisedRow[];
}

export interface MovedCache {
  readonly path: string;
  /** What speaks against the new place, in a sentence; null where nothing does. */
  readonly warning: string | null;
  /** The old file, where it could not be deleted; it is not used any more. */
  readonly oldLeftAt: string | null;
}

export interface RebuiltCache {
  readonly quarantinedPath: string | null;
  /** Rows that were taken over from the damaged file. */
  readonly rows: number;
  /** Rows that the damaged file told of, and that could not be read; null where it does not tell any more. */
  readonly lostRows: number | null;
}

export interface RepairedCache {
  /** null where it was stopped. */
  readonly findings: CacheFindings | null;
  readonly rebuilt: RebuiltCache | null;
}

/** A damaged cache file that was put aside. */
export interface QuarantinedFile {
  /** Of the file, in the folder of the cache. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly atMs: UtcMs;
}

/** Without a folder. */
const fileName = z.string().min(1).max(1_000);

/** Chosen by the caller: `workProgress` tells of the work under this name. */
const workId = z.string().min(1).max(100);

/** Less would hold nothing, and a slip of the hand would empty the cache. */
const LEAST_LIMIT_BYTES = 10_000_000;

/** The cache file of a connection. Faults of all: usage (also: data that came in a file are only read), disk. */
export const cache = {
  /** Size of the file and of what is in it. */
  statistics: method<CacheStatistics & { readonly path: string }>()(z.object({ connectionId })),
  /** What each station takes; those without data are among them only where they are pinned. */
  stations: method<StationSize[]>()(z.object({ connectionId })),
  /**
   * Forgets rows and what was asked, of some stations (all: null) in a range (all: null), of some variables (all: null or
   * left out). Answers how many rows are gone or lost one of the variables. Goes on when its window closes;
   * `workProgress` tells of it, `stopWork` stops it: what is forgotten by then stays forgotten.
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
   * Reads everything and checks it, while everything goes on. Answers what is wrong, null where it was stopped.
   * `workProgress` tells of it, `stopWork` stops it.
   */
  check: method<{ readonly findings: CacheFindings | null }>()(z.object({ connectionId, workId: workId.optional() })),
  /**
   * Leaves out what is damaged, so that it shows as not asked, and keeps all else. A file whose structure is broken is
   * put aside for a new one with everything that is sound: `rebuilt` tells of it, else it is null. `workProgress` and
   * `stopWork` as for `check`.
   */
  repair: method<RepairedCache>()(z.object({ connectionId, workId: workId.optional() })),
  /** Damaged files that were put aside for the cache of a connection, the newest first. */
  quarantine: method<QuarantinedFile[]>()(z.object({ connectionId })),
  /** Takes over what is sound in a file that was put aside, as far as the cache lacks it. The file stays. */
  adoptQuarantined: method<RebuiltCache>()(z.object({ connectionId, name: fileName, workId: workId.optional() })),
  deleteQuarantined: method<null>()(z.object({ connectionId, name: fileName })),
  /** Stops work that tells of itself by `workProgress`; answers when it has ended. */
  stopWork: method<null>()(z.object({ workId })),
  /**
   * Puts a cache aside in which damage was found, and begins a new one with everything that is still sound; downloads
   * stand still meanwhile. Answers where the damaged file lies; null where there was no damage.
   */
  rebuild: method<RebuiltCache>()(z.object({ connectionId, workId: workId.optional() })),
  /**
   * Gives freed room back to the disk. The cache is read as before meanwhile; downloads stand still, and what else would
   * be written is refused. `workProgress` tells of it, `stopWork` stops it: the file is as it was then.
   */
  compact: method<CacheStatistics & { readonly path: string; readonly isStopped: boolean }>()(
    z.object({ connectionId, workId: workId.optional() }),
  ),
  /** Pinned stations are never forgotten to make room. */
  pin: method<null>()(z.object({ connectionId, stationIds, isPinned: z.boolean() })),
  limit: method<CacheLimit>()(z.object({ connectionId })),
  /** Sets how large the cache may be, and makes room at once; later room is made in the background, and told by an event. */
  setLimit: method<CacheLimit>()(z.object({ connectionId, bytes: z.number().int().min(LEAST_LIMIT_BYTES).nullable() })),
  /** Draws pieces at random to be compared with the service; tells what that would cost. Sends nothing. */
  drawSample: method<{ readonly pieces: readonly SamplePiece[]; readonly cost: SampleCost }>()(
    z.object({ connectionId }),
  ),
  /**
   * Asks pieces again and tells what is otherwise now; the new rows take the place of the old ones. Pieces that are not
   * cached as final any more are left out. Faults: key, network, service, disk.
   */
  compare: method<ComparedPiece[]>()(
    z.object({ connectionId, pieces: z.array(samplePiece).min(1).max(20).readonly() }),
  ),
  /**
   * Moves the cache to a file that the user chose with `system.chooseSaveFile`. Downloads stand still meanwhile. What
   * stops it leaves the old file in use. Faults: usage (not chosen, an export reads it), disk.
   */
  move: method<MovedCache>()(
    z.object({ connectionId, path: z.string().min(1).max(32_000), workId: workId.optional() }),
  ),
};
