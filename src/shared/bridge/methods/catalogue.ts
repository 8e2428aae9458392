import { z } from "zod";
import type { Catalogue } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { method } from "../method.ts";
import { connectionId, mode, range, fewStationIds, variables } from "./words.ts";

/** How much of what was asked about is in the cache, for all stations at once. */
export interface CatalogueCoverage {
  /** Stations of which anything is cached in this mode; the arrays below are as long. */
  readonly stationIds: readonly string[];
  /** Share of the range that is covered for all of the variables: 0 to 1. */
  readonly share: Float64Array;
}

/** What of one station is cached, for a strip of the range. */
export interface StationCoverage {
  readonly stationId: string;
  /** Covered for all of the variables; sorted, disjoint, cut to the range. */
  readonly final: readonly TimeRange[];
  readonly provisional: readonly TimeRange[];
}

/** The stations and networks that the key shows. */
export const catalogue = {
  /** The kept catalogue, empty with `fetchedAtMs: null` where it was never fetched. Sends nothing. Faults: usage, disk. */
  read: method<Catalogue>()(z.object({ connectionId })),
  /** Fetches all pages in both height references and keeps them. Faults: usage, key, network, service, disk, cancelled. */
  refresh: method<Catalogue>()(z.object({ connectionId })),
  /** Which stations are cached, and how much. Faults: usage, disk. */
  coverage: method<CatalogueCoverage>()(z.object({ connectionId, range, variables, mode })),
  /** The covered ranges of some stations, in the order asked. Faults: usage, disk. */
  strips: method<StationCoverage[]>()(z.object({ connectionId, stationIds: fewStationIds, range, variables, mode })),
};
