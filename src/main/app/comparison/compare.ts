import type {
  ComparedSites,
  Comparison,
  Grouping,
  HeightMethod,
  PairedValues,
  Pairing,
  SiteMatch,
} from "#shared/comparison.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { lengthText } from "#shared/series/cell.ts";
import { count } from "#shared/text.ts";
import { alignOutward, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { commonRows } from "../../analysis/compare/join.ts";
import { gapsBetween, type PairedEpochs, pairEpochs, reachMs } from "../../analysis/compare/pairing.ts";
import { comparedSeries, rowsIn } from "../../analysis/compare/series.ts";
import { type Undulation, undulationOf } from "../../analysis/collocation/heights.ts";
import { groupStatistics, overallStatistics } from "../../analysis/collocation/groups.ts";
import { atHeightOfA, type ChosenMatches, matchSites, WET_SCALE_HEIGHT_M } from "../../analysis/collocation/sites.ts";
import { MIN_TREND_DAYS, rejectOutliers, statisticsOf } from "../../analysis/collocation/statistics.ts";
import type { Pace } from "../pace.ts";
import type { Source } from "./sources.ts";

export interface ComparisonQuery {
  readonly variable: ScalarVariable;
  /** null: where both sources have rows, with the pairs at its edges. */
  readonly range: TimeRange | null;
  readonly pairing: Pairing;
  /** Pairs further from the median than this many robust standard deviations are left out; null: none are. */
  readonly rejectSigmas: number | null;
  readonly height: HeightMethod;
  readonly groupings: readonly Grouping[];
  readonly withinKm: number;
  readonly chosen: ChosenMatches;
}

/** Describes how the numbers of a comparison were computed, in sentences. */
function methodSentences(
  { pairing, rejectSigmas, height, withinKm }: ComparisonQuery,
  sites: readonly ComparedSites[],
  names: SourceNames,
): string[] {
  const unsure = sites.filter(({ match }) => match.heightDifference !== null && !match.isSameReference).length;
  const incomparable = sites.filter(({ match }) => isIncomparable(match)).length;
  return [
    "Differences are A − B. The standard deviation has the divisor n − 1; MAD is the median absolute deviation from the median, not scaled.",
    `The trend is the slope of a straight line fitted by least squares, per year of 365.25 days; it needs at least ${MIN_TREND_DAYS} days.`,
    ...(sites.length < 2
      ? []
      : [
          "Correlation and trend of several sites do not contain differences between the sites: the mean of each site is subtracted first.",
        ]),
    pairingSentence(pairing),
    ...cellSentences(names, sites),
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
          `${count(unsure)} of ${count(sites.length)} height differences are between heights of which one has no stated ` +
            "reference: ellipsoid and geoid differ by up to 106 m.",
        ]),
    ...(incomparable === 0
      ? []
      : [
          `${count(incomparable)} of ${count(sites.length)} height differences are unknown: one height is above the ` +
            "ellipsoid and one above the geoid, and no site within 20 km has both.",
        ]),
  ];
}

interface SourceNames {
  readonly a: string;
  readonly b: string;
}

/** Describes what the values of both sources stand for, and how they were made comparable; nothing if all are of moments. */
function cellSentences(names: SourceNames, sites: readonly ComparedSites[]): string[] {
  const cells = sites.map((site) => site.cells);
  const means = (["a", "b"] as const).flatMap((side) => {
    const lengths = [...new Set(cells.map((cell) => cell[`${side}Ms`]))].filter((ms) => ms !== null && ms > 0);
    return lengths.map((ms) => `${names[side]} has means over ${lengthText(ms ?? 0)}`);
  });
  const unknown = (["a", "b"] as const).filter((side) => cells.some((cell) => cell[`${side}Ms`] === null));
  const isAveraged = cells.some(({ aMs, bMs, pairedMs }) => pairedMs > 0 && aMs !== bMs);
  return [
    ...(means.length === 0
      ? []
      : [
          `${means.join("; ")}. Means are paired with means of the same interval, and the time of a pair is its start.`,
        ]),
    ...(means.length > 0 && isAveraged
      ? [
          "Values over shorter intervals, and observations, were averaged over the intervals of the other source; an interval has no pair if a source begins or ends within it.",
        ]
      : []),
    ...(cells.some(({ isOfMoments }) => isOfMoments)
      ? ["An interval of means has one observation of the other source, or none: a mean was compared with a moment."]
      : []),
    ...unknown.map(
      (side) =>
        `${names[side]} does not state whether its values are of moments or means: they were compared at their times as these are.`,
    ),
  ];
}

function isIncomparable({ a, b, heightDifference }: SiteMatch): boolean {
  return heightDifference === null && [a, b].every(({ position }) => (position?.heights.length ?? 0) > 0);
}

function pairingSentence(pairing: Pairing): string {
  switch (pairing.kind) {
    case "nearest":
      return pairing.toleranceMs === null
        ? "Each epoch of the series with fewer rows was paired with the nearest one of the other, at most half the finer step away."
        : `Each epoch of the series with fewer rows was paired with the nearest one of the other, at most ${pairing.toleranceMs / 1_000} s away.`;
    case "mean":
      return `Both series were averaged over intervals of ${pairing.intervalMs / 1_000} s, aligned to UTC; an interval counts if both have a value, and neither begins or ends within it.`;
    case "linear":
      return `The series with more rows was interpolated linearly to the epochs of the other, across gaps up to ${
        pairing.mostGapMs === null ? "2.5 of its steps" : `${pairing.mostGapMs / 1_000} s`
      }.`;
  }
}

/**
 * Compares two sources, site by site. Differences are A − B.
 *
 * @returns no sites if none match; a usage fault if a height that the correction needs is unknown
 */
export async function compareSources(
  a: Source,
  b: Source,
  query: ComparisonQuery,
  pace: Pace,
): Promise<Result<Comparison, AppFault>> {
  for (const { name, sites } of [a, b])
    if (sites.length === 0) return usageFailure(`${name} has no ${query.variable}.`);
  const epochs = query.range ? { range: query.range, isOpen: false } : commonEpochs([a, b], query.pairing);
  if (epochs === null) return usageFailure("The files have no time in common.");
  const undulation = undulationOf([...a.sites, ...b.sites].map(({ position }) => position));
  const matches = matchSites(a.sites, b.sites, { ...query, undulation });
  const sites: ComparedSites[] = [];
  for (const match of matches) {
    const compared = await comparedSites({ a, b }, match, epochs, { ...query, undulation });
    if (!compared.ok) return compared;
    sites.push(compared.value);
    await pace.yieldIfDue();
  }
  const isMatched = { a: new Set(matches.map((m) => m.a.id)), b: new Set(matches.map((m) => m.b.id)) };
  return success({
    variable: query.variable,
    range: pairSpan(epochs.range, sites),
    a: { name: a.name, details: a.details, unmatched: withoutMatch(a, isMatched.a) },
    b: { name: b.name, details: b.details, unmatched: withoutMatch(b, isMatched.b) },
    sites,
    overall: overallStatistics(sites),
    groups: query.groupings.flatMap((by) => groupStatistics(sites, by)),
    method: [...methodSentences(query, sites, { a: a.name, b: b.name }), ...new Set([...a.method, ...b.method])],
  });
}

/** The epochs of the time that both sources have; null without any, or if no source has its range. */
function commonEpochs(sources: readonly Source[], pairing: Pairing): PairedEpochs | null {
  const ranges = sources.flatMap(({ range }) => (range === null ? [] : [range]));
  const [startMs, endMs] = [Math.max(...ranges.map((r) => r.startMs)), Math.min(...ranges.map((r) => r.endMs))];
  if (ranges.length === 0) return null;
  // A mean of a source with coarse rows is of the whole interval that a row stands for.
  if (pairing.kind === "mean") {
    const range = alignOutward({ startMs, endMs }, pairing.intervalMs / 1_000);
    return isEmpty(range) ? null : { range, isOpen: false };
  }
  const apartMs = pairing.kind === "nearest" ? (pairing.toleranceMs ?? 0) : 0;
  if (startMs - apartMs >= endMs) return null;
  return { range: { startMs: Math.min(startMs, endMs), endMs: Math.max(startMs, endMs) }, isOpen: true };
}

/** A range with the pairs just outside of it; ends at a whole second. */
function pairSpan({ startMs, endMs }: TimeRange, sites: readonly { readonly pairs: PairedValues }[]): TimeRange {
  const firsts = sites.flatMap(({ pairs }) => pairs.timesMs[0] ?? []);
  const lastMs = Math.max(...sites.map(({ pairs }) => pairs.timesMs.at(-1) ?? -Infinity));
  const isOutside = lastMs >= endMs;
  return {
    startMs: Math.min(startMs, ...firsts),
    endMs: isOutside ? (Math.floor(lastMs / 1_000) + 1) * 1_000 : endMs,
  };
}

function withoutMatch({ sites }: Source, matchedIds: ReadonlySet<string>): string[] {
  return sites.filter((site) => !matchedIds.has(site.id)).map((site) => site.label);
}

async function comparedSites(
  { a, b }: { readonly a: Source; readonly b: Source },
  match: SiteMatch,
  epochs: PairedEpochs,
  { variable, pairing, rejectSigmas, height, undulation }: ComparisonQuery & { readonly undulation: Undulation },
): Promise<Result<ComparedSites, AppFault>> {
  const [aMs, bMs] = [a.cellMs(match.a.id), b.cellMs(match.b.id)];
  const reach = reachMs(pairing, aMs, bMs);
  const around = { startMs: epochs.range.startMs - reach, endMs: epochs.range.endMs + reach };
  const [rowsA, rowsB] = [await a.rows(match.a.id, around), await b.rows(match.b.id, around)];
  if (!rowsA.ok) return rowsA;
  if (!rowsB.ok) return rowsB;
  const [seriesA, seriesB] = [comparedSeries(rowsA.value, aMs), comparedSeries(rowsB.value, bMs)];
  const joined = pairEpochs(seriesA, seriesB, pairing, epochs);
  const paired = commonRows(joined);
  const span = pairSpan(epochs.range, [{ pairs: paired }]);
  const moved = height === "none" ? null : movedToA(paired, match, variable, undulation);
  if (moved !== null && !moved.ok) return moved;
  const { kept, rejected } = rejectOutliers(moved?.value.pairs ?? paired, rejectSigmas);
  return success({
    match,
    rowsA: rowsIn(rowsA.value, span).timesMs.length,
    rowsB: rowsIn(rowsB.value, span).timesMs.length,
    correctionMm: moved?.value.correctionMm ?? null,
    statistics: statisticsOf(kept, rejected),
    gaps: gapsBetween(paired),
    cells: { aMs, bMs, pairedMs: joined.cellMs, isOfMoments: joined.isOfMoments },
    pairs: kept,
  });
}

function movedToA(
  pairs: PairedValues,
  match: SiteMatch,
  variable: ScalarVariable,
  undulation: Undulation,
): Result<{ readonly pairs: PairedValues; readonly correctionMm: number | null }, AppFault> {
  if (variable !== "ztd" && variable !== "pwv")
    return usageFailure(`Only ztd and pwv can be corrected for height, not ${variable}.`);
  const b = atHeightOfA(pairs.b, match, variable, undulation);
  if (b === null)
    return usageFailure(
      isIncomparable(match)
        ? `The heights of ${match.a.label} and ${match.b.label} are above different surfaces, ellipsoid and geoid: compare without a height correction.`
        : `The height of ${match.a.label} or ${match.b.label} is unknown: compare without a height correction.`,
    );
  const sum = b.reduce((total, value, i) => total + value - (pairs.b[i] ?? value), 0);
  return success({ pairs: { ...pairs, b }, correctionMm: b.length === 0 ? null : sum / b.length });
}
