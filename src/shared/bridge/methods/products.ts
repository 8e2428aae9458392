import { z } from "zod";
import {
  type SiteStatistics,
  type Comparison,
  GRID_METHODS,
  GROUPINGS,
  HEIGHT_METHODS,
  pairing,
  type Site,
} from "#shared/comparison.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import { method } from "../method.ts";
import type { Scatter } from "./compare.ts";
import type { SeriesWindow } from "./series.ts";
import { connectionId, range, readMode, stationId } from "./schemas.ts";

/** A comparison for a window: with statistics and plot data instead of all pairs. */
export interface ProductComparison extends Omit<Comparison, "sites"> {
  readonly sites: readonly SiteStatistics[];
  /** Sites of B with the variable, for manual matching. */
  readonly fileSites: readonly Site[];
  /** A − B in mm for the first sites, under the id of the site of A and the variable. */
  readonly differences: readonly SeriesWindow[];
  /** Of all pairs. */
  readonly scatter: Scatter;
}

const query = {
  connectionId,
  /** A: all sites of an opened file; null: the stations in `stationIds`. */
  fileIdA: z.string().min(1).max(100).nullable(),
  /** B: an opened file, or the cached stations of another connection. */
  b: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), fileId: z.string().min(1).max(100) }),
    z.object({ kind: z.literal("connection"), connectionId }),
  ]),
  /** Used if `fileIdA` is null. */
  stationIds: z.array(stationId).max(500).readonly(),
  variable: z.enum(SCALAR_VARIABLES),
  range,
  /** Of the cache. Products have no days of a time zone. */
  mode: readMode.omit({ zone: true }),
  pairing,
  /** Rejects differences that are further from the median, in robust standard deviations; null: none. */
  rejectSigmas: z.number().positive().nullable(),
  height: z.enum(HEIGHT_METHODS),
  withinKm: z.number().min(0).max(20_100),
  /** Derives PWV from the ZTD of a file without PWV, with standard-atmosphere pressure or pressures from an opened file. */
  pressure: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("standard") }),
      z.object({ kind: z.literal("file"), fileId: z.string().min(1).max(100) }),
    ])
    .nullable(),
  /** For files with the variable on a grid. */
  grid: z.enum(GRID_METHODS),
};

export type ComparedB = z.output<typeof query.b>;
export type PressureChoice = z.output<typeof query.pressure>;

/** Comparison of cached stations or an opened file (A) with another file or connection (B). Sends nothing. Faults of all: usage, disk. */
export const products = {
  compare: method<ProductComparison>()(z.object({ ...query, columns: z.number().int().min(1).max(20_000) })),
  /** The comparison as a report: an HTML page, which a browser prints. */
  report: method<string>()(z.object({ ...query, groupings: z.array(z.enum(GROUPINGS)).readonly() })),
  /** Matches a station or site of A with a site of B, with none (null), or automatically (undefined). Stored for later comparisons. */
  match: method<null>()(z.object({ ...query, stationId, siteId: z.string().min(1).max(100).nullable().optional() })),
};
