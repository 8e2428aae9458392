import { z } from "zod";
import type { Absence } from "#shared/series/gap.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { method } from "../method.ts";
import { connectionId, moment, readMode, stationIds, variables } from "./words.ts";

/**
 * Of each moment and station the nearest value: `[moment * stations + station]`, NaN where there is none within reach.
 * The earlier of two that are equally near.
 */
export interface NearestValues {
  /** When it was observed, UTC milliseconds. */
  readonly timesMs: Float64Array;
  /** In the unit of the variable. */
  readonly values: Float64Array;
}

export interface Snapshots {
  readonly momentsMs: readonly UtcMs[];
  /** Those of which anything is cached around the moments; all others have no value. */
  readonly stationIds: readonly string[];
  readonly variables: Partial<Record<Variable, NearestValues>>;
}

/** As far from a moment as a value may be. */
const withinMs = z.number().int().min(0).max(86_400_000);

/** What all stations showed at a moment, from the cache. Nothing here sends anything. Faults of all: usage, disk. */
export const snapshot = {
  /** Scalar variables, each by itself: they do not come equally often. */
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
   * Why stations have no value of a variable around a moment, in their order: in the cache, or with `isAnswered` in what
   * the service told just now.
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
