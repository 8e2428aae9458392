import { z } from "zod";
import type { Convergence } from "#shared/series/gap.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, fewStationIds, mode, range, stationId } from "./schemas.ts";

/** Completeness of a series in each bin. Counts are epochs, or intervals if the mode has one. */
export interface AvailabilityCounts {
  /** Epochs in which the station could have observed: none before its first observation or after now. */
  readonly expected: Uint32Array;
  /** Values in the cache. */
  readonly received: Uint32Array;
  /** Values that only the raw series has; 0 if it was not requested. */
  readonly filtered: Uint32Array;
  /** Requested, and neither received nor known to be filtered out. */
  readonly missing: Uint32Array;
  /** Requested without success. */
  readonly failed: Uint32Array;
  readonly notRequested: Uint32Array;
  /** Requested epochs with provisional coverage: what they lack may still arrive. */
  readonly mayStillArrive: Uint32Array;
  /** 1 if the raw series was requested wherever this one was, so that missing values were never observed. */
  readonly rawAsked: Uint8Array;
}

/** Completeness of one variable in the cache: the bins of all stations, one station after the other. */
export interface SeriesAvailability extends AvailabilityCounts {
  /** Start of the first bin. Bins are aligned to UTC; the range may cut the first and the last. */
  readonly firstMs: UtcMs;
  readonly binMs: number;
  readonly bins: number;
  /** Now, by the service's clock. */
  readonly nowMs: UtcMs;
  readonly stations: readonly {
    readonly stationId: string;
    /** Seconds between two consecutive values. */
    readonly stepSeconds: number;
    /** The service refused the station to the last job that requested it. */
    readonly isForbidden: boolean;
    /** If false, nothing is expected. */
    readonly hasEverSent: boolean;
    /** Why requests for parts of the range failed, from the newest job; null if none failed or the reason is unknown. */
    readonly failedBecause: string | null;
  }[];
}

/** Maximum stations × bins of one answer. */
export const MAX_CELLS = 2_000_000;

/** Completeness of series, from the cache alone. Faults of all: usage, disk. */
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
  /** For each gap of a station, when the uncertainty of ZTD suggests that the solution converged again in or after it. */
  convergences: method<(Convergence | null)[]>()(
    z.object({ connectionId, stationId, gaps: z.array(range).max(500), intervalSeconds: mode.shape.intervalSeconds }),
  ),
};
