import type { ComparedSites, Grouping, HeightMethod, Pairing } from "#shared/comparison.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { count } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { WET_SCALE_HEIGHT_M } from "../../analysis/collocation/heights.ts";
import { MIN_TREND_DAYS } from "../../analysis/collocation/statistics.ts";
import type { ChosenMatches } from "../../analysis/collocation/sites.ts";

export interface ComparisonQuery {
  readonly variable: ScalarVariable;
  readonly range: TimeRange;
  readonly pairing: Pairing;
  /** Pairs further from the median than this many robust standard deviations are left out; null: none are. */
  readonly rejectSigmas: number | null;
  readonly height: HeightMethod;
  readonly groupings: readonly Grouping[];
  readonly withinKm: number;
  readonly chosen: ChosenMatches;
}

/** Describes how the numbers of a comparison were computed, in sentences. */
export function methodSentences(
  { pairing, rejectSigmas, height, withinKm }: ComparisonQuery,
  sites: readonly ComparedSites[],
): string[] {
  const unsure = sites.filter(({ match }) => match.heightDifference !== null && !match.isSameReference).length;
  return [
    "Differences are A − B. The standard deviation has the divisor n − 1; MAD is the median absolute deviation from the median, not scaled.",
    `The trend is the slope of a straight line fitted by least squares, per year of 365.25 days; it needs at least ${MIN_TREND_DAYS} days.`,
    pairingSentence(pairing),
    "A gap is a distance of more than 2.5 usual steps between neighbouring pairs, before any is rejected; its length counts from pair to pair.",
    rejectSigmas === null
      ? "No pair was rejected."
      : `Pairs further than ${rejectSigmas} × 1.4826 × MAD from the median difference of their site were rejected; if the MAD is 0, 1.2533 × the mean absolute deviation counts instead.`,
    height === "none"
      ? "Values are not corrected for height."
      : "Values of B were moved to the height of A: the hydrostatic part with Saastamoinen’s delay (1972) and the pressure " +
        `of the standard atmosphere at both heights, the wet part multiplied by exp(−Δh / ${count(WET_SCALE_HEIGHT_M)} m). ` +
        "Corrected values are derived, not measured.",
    `Sites were matched by choice, id, DOMES number, name, or as the nearest site within ${withinKm} km.`,
    ...(unsure === 0
      ? []
      : [
          `${count(unsure)} of ${count(sites.length)} height differences are between heights of different or unknown ` +
            "references: ellipsoid and geoid differ by up to 100 m.",
        ]),
  ];
}

function pairingSentence(pairing: Pairing): string {
  switch (pairing.kind) {
    case "nearest":
      return pairing.toleranceMs === null
        ? "Each epoch of the series with fewer rows was paired with the nearest one of the other, at most half the finer step away."
        : `Each epoch of the series with fewer rows was paired with the nearest one of the other, at most ${pairing.toleranceMs / 1_000} s away.`;
    case "mean":
      return `Both series were averaged over intervals of ${pairing.intervalMs / 1_000} s, aligned to UTC; an interval counts if both have a value.`;
    case "linear":
      return `The series with more rows was interpolated linearly to the epochs of the other, across gaps up to ${
        pairing.mostGapMs === null ? "2.5 of its steps" : `${pairing.mostGapMs / 1_000} s`
      }.`;
  }
}
