import { z } from "zod";
import type { ScalarVariable } from "#shared/service/variables.ts";
import type { Position } from "./station/position.ts";
import type { TimeRange } from "#shared/time/range.ts";

/** A place of measurement in a source: a station of the cache, or a site of a file. */
export interface Site {
  /** Unique in its source. */
  readonly id: string;
  readonly label: string;
  /** Identifier of the station at the service, if the source has it. */
  readonly stationId: string | null;
  readonly domes: string | null;
  readonly position: Position | null;
}

/** How two sites were matched, the surest way first. */
export type MatchKind = "chosen" | "id" | "domes" | "name" | "distance";

export interface SiteMatch {
  readonly a: Site;
  readonly b: Site;
  readonly by: MatchKind;
  /** Null without both positions. */
  readonly distanceKm: number | null;
  /** Height of A minus height of B, metres; null if a height is unknown, or one is above the ellipsoid and one above the geoid. */
  readonly heightDifference: number | null;
  /** Both heights are known to have the same reference, or were converted to it. */
  readonly isSameReference: boolean;
}

const milliseconds = z.number().int().positive();

/**
 * How epochs of two series are paired.
 * - nearest: each epoch of the series with fewer rows, with the nearest epoch of the other within the tolerance
 * Means are only paired with means: see `pairEpochs`.
 * - mean: means of both over whole intervals that are aligned to UTC, where both have values; the epoch is the start
 * - linear: the series with more rows, interpolated to the epochs of the other, across gaps up to `mostGapMs`
 */
export const pairing = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("nearest"), /** Null: half the finer step. */ toleranceMs: milliseconds.nullable() }),
  z.object({ kind: z.literal("mean"), intervalMs: milliseconds }),
  z.object({
    kind: z.literal("linear"),
    /** Null: 2.5 steps of the interpolated series. */
    mostGapMs: milliseconds.nullable(),
  }),
]);
export type Pairing = Readonly<z.output<typeof pairing>>;

/** How a grid is read at a site inside of it: at its nearest point, or interpolated from the four points around the site. */
export const GRID_METHODS = ["bilinear", "nearest"] as const;
export type GridMethod = (typeof GRID_METHODS)[number];

/** Moves B to the height of A: `saastamoinen` as `analysis/collocation/sites` describes it. */
export const HEIGHT_METHODS = ["none", "saastamoinen"] as const;
export type HeightMethod = (typeof HEIGHT_METHODS)[number];

/** Statistics of A − B in mm; NaN if there are too few values. */
export interface DifferenceStatistics {
  /** Pairs that count. */
  readonly n: number;
  /** Pairs left out because their difference is too far from the median. */
  readonly rejected: number;
  readonly biasMm: number;
  /** Divisor n − 1. */
  readonly stdMm: number;
  readonly rmsMm: number;
  readonly medianMm: number;
  /** Median absolute deviation from the median, not scaled. */
  readonly madMm: number;
  readonly correlation: number;
  /** Slope of a straight line through the differences, mm per year of 365.25 days. */
  readonly trendMmPerYear: number;
  readonly stdAMm: number;
  readonly stdBMm: number;
}

export const GROUPINGS = ["hour", "month", "height", "value"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface GroupStatistics {
  readonly by: Grouping;
  readonly label: string;
  readonly statistics: DifferenceStatistics;
}

/** Pairs that count, in time order. As long as each other; values in mm. */
export interface PairedValues {
  readonly timesMs: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/**
 * What the values of two series and of their pairs stand for: 0 moments, else means over so many milliseconds, of which the
 * time is the start; null: unknown.
 */
interface ComparedCells {
  readonly aMs: number | null;
  readonly bMs: number | null;
  readonly pairedMs: number;
  /** Means of one series were paired with moments of the other, which has rarely more than one in an interval. */
  readonly isOfMoments: boolean;
}

/** Stretches without pairs between the first pair and the last: neighbours further apart than 2.5 usual steps. */
export interface PairGaps {
  readonly count: number;
  readonly totalSeconds: number;
  readonly longestSeconds: number;
}

export interface ComparedSites {
  readonly match: SiteMatch;
  readonly rowsA: number;
  readonly rowsB: number;
  /** Mean correction that was added to B, mm; null without a correction, or without pairs. */
  readonly correctionMm: number | null;
  readonly statistics: DifferenceStatistics;
  readonly gaps: PairGaps;
  readonly cells: ComparedCells;
  readonly pairs: PairedValues;
}

/** Without the pairs, which may be millions. */
export type SiteStatistics = Omit<ComparedSites, "pairs">;

export function withoutPairs(site: ComparedSites): SiteStatistics {
  const { pairs: _, ...rest } = site;
  return rest;
}

export interface ComparedSource {
  readonly name: string;
  /** Format, title and source of a file; address of a service. Sentences. */
  readonly details: readonly string[];
  /** Sites without a match. */
  readonly unmatched: readonly string[];
}

/** Comparison of two sources. Differences are A − B. */
export interface Comparison {
  readonly variable: ScalarVariable;
  readonly range: TimeRange;
  readonly a: ComparedSource;
  readonly b: ComparedSource;
  readonly sites: readonly ComparedSites[];
  readonly overall: DifferenceStatistics;
  readonly groups: readonly GroupStatistics[];
  /** How pairs, corrections and statistics were made. Sentences. */
  readonly method: readonly string[];
}
