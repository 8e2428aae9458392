import type { DifferenceStatistics, PairedValues } from "#shared/comparison.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { correlationOf, differenceStatistics } from "../compare/differences.ts";
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

/** Returns the statistics of A − B for the accepted pairs of one site. */
export function statisticsOf(pairs: PairedValues, rejected: number): DifferenceStatistics {
  return pooledStatistics([pairs], rejected);
}

/**
 * Returns the statistics of A − B for the accepted pairs of several sites together. Correlation and trend are those within
 * the sites, the means of each site taken off: values and biases that differ between sites are neither.
 */
export function pooledStatistics(sites: readonly PairedValues[], rejected: number): DifferenceStatistics {
  const pairs = joinedPairs(sites);
  const { n, biasMm, stdMm, rmsMm } = differenceStatistics(pairs.a, pairs.b);
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
    correlation: correlationWithin(sites),
    trendMmPerYear: slopePerYear(sites),
    stdAMm: standardDeviation(pairs.a),
    stdBMm: standardDeviation(pairs.b),
  };
}

function joinedPairs(sites: readonly PairedValues[]): PairedValues {
  const [only, ...others] = sites;
  if (only && others.length === 0) return only;
  return {
    timesMs: concatenated(sites.map((s) => s.timesMs)),
    a: concatenated(sites.map((s) => s.a)),
    b: concatenated(sites.map((s) => s.b)),
  };
}

export function concatenated(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function differencesOf({ a, b }: PairedValues): Float64Array {
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

/** Sums of squares and products of two quantities, each minus its mean. */
function moments(x: Float64Array, y: Float64Array): { xx: number; yy: number; xy: number } {
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  const sums = { xx: 0, yy: 0, xy: 0 };
  x.forEach((value, i) => {
    const [fromX, fromY] = [value - meanX, (y[i] ?? meanY) - meanY];
    sums.xx += fromX * fromX;
    sums.yy += fromY * fromY;
    sums.xy += fromX * fromY;
  });
  return sums;
}

function summed(sites: readonly { xx: number; yy: number; xy: number }[]) {
  return sites.reduce((sum, { xx, yy, xy }) => ({ xx: sum.xx + xx, yy: sum.yy + yy, xy: sum.xy + xy }), {
    xx: 0,
    yy: 0,
    xy: 0,
  });
}

function correlationWithin(sites: readonly PairedValues[]): number {
  const { xx, yy, xy } = summed(sites.map(({ a, b }) => moments(a, b)));
  return correlationOf(xy, xx, yy);
}

/** Least squares, with an intercept for each site; NaN without a site with three values over a long enough time. */
function slopePerYear(sites: readonly PairedValues[]): number {
  const long = sites.filter(({ timesMs }) => {
    const spanMs = (timesMs.at(-1) ?? Number.NaN) - (timesMs[0] ?? Number.NaN);
    return timesMs.length >= 3 && spanMs >= MIN_TREND_DAYS * DAY_MS;
  });
  const { xx, xy } = summed(long.map((site) => moments(site.timesMs, differencesOf(site))));
  return (xy / xx) * YEAR_MS;
}
