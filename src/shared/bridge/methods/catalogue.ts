import { z } from "zod";
import type { Catalogue } from "#shared/service/catalogue.ts";
import { LIMITS, type NearestAnswer } from "#shared/service/query.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { method } from "../method.ts";
import { connectionId, fewStationIds, mode, moment, range, stationIds, variables } from "./schemas.ts";

/** Share of the requested data in the cache, for all stations. */
export interface CatalogueCoverage {
  /** Stations with cached data in this mode; parallel to `share`. */
  readonly stationIds: readonly string[];
  /** Share of the range that is covered for all of the variables: 0 to 1. */
  readonly share: Float64Array;
}

/** Cached ranges of one station. */
export interface StationCoverage {
  readonly stationId: string;
  /** Covered for all variables; sorted, disjoint, clipped to the range. */
  readonly final: readonly TimeRange[];
  readonly provisional: readonly TimeRange[];
}

/** Stations and networks that the key gives access to. */
export const catalogue = {
  /**
   * The stored catalogue; if it was never fetched, with `fetchedAtMs: null` and the stations that the service has listed
   * so far. Sends nothing. Faults: usage, disk.
   */
  read: method<Catalogue>()(z.object({ connectionId })),
  /** Fetches and stores all pages in both height references. Faults: usage, key, network, service, disk, cancelled. */
  refresh: method<Catalogue>()(z.object({ connectionId })),
  /** Cached share of each station. Faults: usage, disk. */
  coverage: method<CatalogueCoverage>()(z.object({ connectionId, range, variables, mode })),
  /** Covered ranges of some stations, in the order of the request. Faults: usage, disk. */
  strips: method<StationCoverage[]>()(z.object({ connectionId, stationIds: fewStationIds, range, variables, mode })),
};

/** The observation nearest to a moment, directly from the service; nothing is stored. */
export const nearest = {
  /** `timeMs: null` requests the latest observation. Faults: usage, key, network, service, cancelled. */
  query: method<NearestAnswer>()(
    z.object({
      connectionId,
      stationIds: z.union([z.literal("all"), stationIds]),
      variables,
      timeMs: moment.nullable(),
      withinSeconds: z.number().int().min(LIMITS.withinSeconds.min).max(LIMITS.withinSeconds.max),
      raw: z.boolean(),
    }),
  ),
};
