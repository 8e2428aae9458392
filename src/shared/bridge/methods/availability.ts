import { z } from "zod";
import type { Convergence } from "#shared/series/gap.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, fewStationIds, mode, range, stationId } from "./words.ts";

/** How much of a series is there, for each bin. Counts are epochs (intervals, where the mode has them). */
export interface AvailabilityCounts {
  /** Epochs in which the station could have sent: none before its first observation, none after now. */
  readonly expected: Uint32Array;
  /** Values that are there. */
  readonly received: Uint32Array;
  /** Values that only the raw series has; 0 where it was not asked. */
  readonly filtered: Uint32Array;
  /** Asked, and neither received nor known to be filtered out. */
  readonly missing: Uint32Array;
  /** Asked in vain. */
  readonly failed: Uint32Array;
  readonly notAsked: Uint32Array;
  /** 1 where some of what was asked may still change. */
  readonly notFinal: Uint8Array;
  /** 1 where the raw series was asked as far as this one was, so that what is missing was never sent. */
  readonly rawAsked: Uint8Array;
}

/** How much of one variable of the cache is there: the rows of bins of all stations, one after the other. */
export interface SeriesAvailability extends AvailabilityCounts {
  /** Start of the first bin; bins are counted from the epoch in UTC, and the range may cut the first and the last. */
  readonly firstMs: UtcMs;
  readonly binMs: number;
  readonly bins: number;
  /** Now, as the service's clock has it. */
  readonly nowMs: UtcMs;
  readonly stations: readonly {
    readonly stationId: string;
    /** Seconds between two values where none is missing. */
    readonly stepSeconds: number;
    /** The service refused it to the last job that asked. */
    readonly isForbidden: boolean;
    /** Where not, nothing is expected of it. */
    readonly hasEverSent: boolean;
    /** Why parts of the range were asked in vain, as the newest job tells it; null where none was, or nobody knows. */
    readonly failedBecause: string | null;
  }[];
}

/** Most stations × bins of one answer. */
export const MOST_CELLS = 2_000_000;

/** Completeness, and what speaks for its causes. From the cache alone. Faults of all: usage, disk. */
export const availability = {
  /** For each station and UTC day or hour. */
  read: method<SeriesAvailability>()(
    z.object({
      connectionId,
      stationIds: fewStationIds,
      variable: variableSchema,
      range,
      mode,
      bin: z.enum(["day", "hour"]),
    }),
  ),
  /** Where the uncertainty of ZTD suggests that the solution converged anew in or after each of the gaps of a station. */
  convergences: method<(Convergence | null)[]>()(
    z.object({ connectionId, stationId, gaps: z.array(range).max(500), intervalSeconds: mode.shape.intervalSeconds }),
  ),
};
