import type { DifferenceStatistics, PairedValues } from "#shared/comparison.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { differenceStatistics } from "../compare/differences.ts";
import { percentilesOf } from "../sorting.ts";

const YEAR_MS = 365.25 * DAY_MS;
/** Over a shorter time the slope shows weather, no trend. */
export const MIN_TREND_DAYS = 30;
/** The MAD of normally distributed values times this is their standard deviation. */
const MAD_TO_SIGMA = 1.4826;
/** The same for the mean absolute deviation, which is used if more than half of the differences are equal. */
const MEAN_DEVIATION_TO_SIGMA = 1.2533;
/** Smaller spreads are rounding errors, mm. */
const MIN_SPREAD_MM = 1e-6;

/**
 * Removes pairs whose difference is further from the median than `sigmas` robust standard deviations: 1.4826 × MAD,
 * or 1.2533 × the mean absolute deviation if the MAD is zero (Iglewicz and Hoaglin 1993).
 *
 * @param sigmas null removes none
 */
export function rejectOutliers(
  pairs: PairedValues,
  sigmas: number | null,
): { readonly kept: PairedValues; readonly rejected: number } {
  if (sigmas === null) return { kept: pairs, rejected: 0 };
  const differences = differencesOf(pairs);
  const median = medianOf(differences);
  const maxDeviation = sigmas * robustSigma(differences, median);
  if (!(maxDeviation > 0)) return { kept: pairs, rejected: 0 };
  const isKept = (_: number, i: number): boolean => Math.abs((differences[i] ?? 0) - median) <= maxDeviation;
  const kept = { timesMs: pairs.timesMs.filter(isKept), a: pairs.a.filter(isKept), b: pairs.b.filter(isKept) };
  return { kept, rejected: differences.length - kept.timesMs.length };
}

function robustSigma(differences: Float64Array, median: number): number {
  const mad = madOf(differences, median);
  if (mad >= MIN_SPREAD_MM) return MAD_TO_SIGMA * mad;
  const spread = meanOf(differences.map((difference) => Math.abs(difference - median)));
  return spread >= MIN_SPREAD_MM ? MEAN_DEVIATION_TO_SIGMA * spread : 0;
}

/** Returns the statistics of A − B for accepted pairs. */
export function statisticsOf(pairs: PairedValues, rejected: number): DifferenceStatistics {
  const { n, biasMm, stdMm, rmsMm, correlation } = differenceStatistics(pairs.a, pairs.b);
  const differences = differencesOf(pairs);
  const medianMm = medianOf(differences);
  return {
    n,
    rejected,
    biasMm,
    stdMm,
    rmsMm,
    medianMm,
    madMm: madOf(differences, medianMm),
    correlation,
    trendMmPerYear: slopePerYear(pairs.timesMs, differences),
    stdAMm: standardDeviation(pairs.a),
    stdBMm: standardDeviation(pairs.b),
  };
}

export function differencesOf({ a, b }: PairedValues): Float64Array {
  return a.map((value, i) => value - (b[i] ?? Number.NaN));
}

function medianOf(values: Float64Array): number {
  return percentilesOf(Float64Array.from(values))(0.5);
}

function madOf(values: Float64Array, median: number): number {
  return medianOf(values.map((value) => Math.abs(value - median)));
}

function meanOf(values: Float64Array): number {
  const [first = Number.NaN] = values;
  // Relative to the first value: a large offset costs no digits.
  return first + values.reduce((sum, value) => sum + (value - first), 0) / values.length;
}

function standardDeviation(values: Float64Array): number {
  if (values.length < 2) return Number.NaN;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Least squares; NaN with fewer than three values, or over too short a time. */
function slopePerYear(timesMs: Float64Array, values: Float64Array): number {
  const [firstMs, lastMs] = timesMs.reduce(
    ([first, last], timeMs) => [Math.min(first, timeMs), Math.max(last, timeMs)],
    [Infinity, -Infinity],
  );
  if (values.length < 3 || lastMs - firstMs < MIN_TREND_DAYS * DAY_MS) return Number.NaN;
  const [meanMs, mean] = [meanOf(timesMs), meanOf(values)];
  let products = 0;
  let squares = 0;
  timesMs.forEach((timeMs, i) => {
    products += (timeMs - meanMs) * ((values[i] ?? mean) - mean);
    squares += (timeMs - meanMs) ** 2;
  });
  return (products / squares) * YEAR_MS;
}
