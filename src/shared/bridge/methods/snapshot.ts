import { z } from "zod";
import type { Absence } from "#shared/series/gap.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, moment, readMode, stationIds, variables } from "./schemas.ts";

/**
 * The nearest value of each station to each moment: `[moment * stations + station]`; NaN if none is within
 * the limit. Of two equally near values, the earlier one.
 */
export interface NearestValues {
  /** Times of observation, UTC milliseconds. */
  readonly timesMs: Float64Array;
  /** In the unit of the variable. */
  readonly values: Float64Array;
}

export interface Snapshots {
  readonly momentsMs: readonly UtcMs[];
  /** Stations with cached data around the moments; all others have no value. */
  readonly stationIds: readonly string[];
  readonly variables: Partial<Record<Variable, NearestValues>>;
}

/** Maximum distance of a value from its moment. */
const withinMs = z.number().int().min(0).max(86_400_000);

/** Values of all stations at a moment, from the cache. Sends nothing. Faults of all: usage, disk. */
export const snapshot = {
  /** Scalar variables, each searched separately, because their cadences differ. */
  read: method<Snapshots>()(
    z.object({
      connectionId,
      variables,
      mode: readMode,
      momentsMs: z.array(moment).min(1).max(64).readonly(),
      withinMs,
    }),
  ),
  /**
   * Why stations have no value of a variable around a moment, in the order of the request: in the cache, or with
   * `isAnswered` in a response that the service just sent.
   */
  missing: method<Absence[]>()(
    z.object({
      connectionId,
      stationIds,
      variable: variableSchema,
      mode: readMode,
      momentMs: moment,
      withinMs,
      isAnswered: z.boolean().optional(),
    }),
  ),
};
