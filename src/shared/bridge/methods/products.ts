import { z } from "zod";
import {
  type ComparedFigures,
  type Comparison,
  GRID_METHODS,
  GROUPINGS,
  REPORT_FORMATS,
  type Site,
} from "#shared/comparison.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import { method } from "../method.ts";
import type { Scatter } from "./compare.ts";
import type { SeriesWindow } from "./series.ts";
import { connectionId, range, readMode, stationId } from "./words.ts";

/** A comparison as a window shows it: statistics, and figures in place of the pairs. */
export interface ProductComparison extends Omit<Comparison, "sites"> {
  readonly sites: readonly ComparedFigures[];
  /** Sites of B that hold the variable, for matching by hand. */
  readonly fileSites: readonly Site[];
  /** A − B in mm, under the id of the site of A and the variable, of the first sites. */
  readonly differences: readonly SeriesWindow[];
  /** All pairs. */
  readonly scatter: Scatter;
}

const milliseconds = z.number().int().positive().nullable();
const pairing = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("nearest"), toleranceMs: milliseconds }),
  z.object({ kind: z.literal("mean"), intervalMs: z.number().int().positive() }),
  z.object({ kind: z.literal("linear"), mostGapMs: milliseconds }),
]);

const query = {
  connectionId,
  /** A: an opened file, all of its sites; null: the stations. */
  fileIdA: z.string().min(1).max(100).nullable(),
  /** An opened file, or the cached stations of another connection. */
  b: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), fileId: z.string().min(1).max(100) }),
    z.object({ kind: z.literal("connection"), connectionId }),
  ]),
  /** A without a file. */
  stationIds: z.array(stationId).max(500).readonly(),
  variable: z.enum(SCALAR_VARIABLES),
  range,
  mode: readMode,
  pairing,
  /** Robust standard deviations; see `Comparison`. */
  rejectSigmas: z.number().positive().nullable(),
  height: z.enum(["none", "saastamoinen"]),
  withinKm: z.number().min(0).max(20_100),
  /** Derives PWV from the ZTD of a file without PWV: by the standard atmosphere, or the pressures in an opened file. */
  pressure: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("standard") }),
      z.object({ kind: z.literal("file"), fileId: z.string().min(1).max(100) }),
    ])
    .nullable(),
  /** Of files that hold the variable on a grid. */
  grid: z.enum(GRID_METHODS),
};

export type ComparedB = z.output<typeof query.b>;
export type PressureChoice = z.output<typeof query.pressure>;

/** Cached stations or an opened file (A) compared with another file or connection (B). Nothing here sends anything. Faults of all: usage, disk. */
export const products = {
  compare: method<ProductComparison>()(z.object({ ...query, columns: z.number().int().min(1).max(20_000) })),
  /** The same, as the bytes of one file. */
  report: method<Uint8Array<ArrayBuffer>>()(
    z.object({ ...query, groupings: z.array(z.enum(GROUPINGS)).readonly(), format: z.enum(REPORT_FORMATS) }),
  ),
  /** Matches a station or site of A with a site of B by hand, with none (null), or as it is found (undefined). Kept for later comparisons. */
  match: method<null>()(z.object({ ...query, stationId, siteId: z.string().min(1).max(100).nullable().optional() })),
};
