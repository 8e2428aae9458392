import type { PairedValues, PairGaps, Pairing } from "#shared/comparison.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { type ComparedSeries, interpolatedAt, rowsIn, STEPS_ACROSS, usualStepMs } from "./series.ts";
import { type Joined, joinNearest } from "./join.ts";
import { gridMeans, meansOver, SAME_START_MS, wholeMeans } from "./means.ts";

/** Which epochs have a pair. */
export interface PairedEpochs {
  readonly range: TimeRange;
  /** The range is only where both series have rows: epochs just outside of it have a pair, too, if there is a partner. */
  readonly isOpen: boolean;
}

export interface PairedSeries extends Joined {
  /** 0: pairs of moments; else of means over so many milliseconds, which begin at the times. */
  readonly cellMs: number;
  /** Largest distance of the rows of a pair. */
  readonly withinMs: number;
  /** One series has means, and the other moments of which rarely more than one is in an interval. */
  readonly isOfMoments: boolean;
}

/**
 * Returns how far outside of a range rows are needed for its pairs: partners may be outside, and the usual step and the
 * ends of a series show in the rows around.
 */
export function reachMs(pairing: Pairing, ...cellsMs: readonly (number | null)[]): number {
  return Math.max(DAY_MS / 2, farthestMs(pairing), ...cellsMs.map((cellMs) => cellMs ?? 0));
}

function farthestMs(pairing: Pairing): number {
  switch (pairing.kind) {
    case "nearest":
      return pairing.toleranceMs ?? 0;
    case "mean":
      return pairing.intervalMs;
    case "linear":
      // Of daily rows, or finer ones.
      return pairing.mostGapMs ?? STEPS_ACROSS * DAY_MS;
  }
}

/**
 * Pairs two series, in time order; see `Pairing`. A mean is paired with a mean of the same interval: where the cells of the
 * series differ, the one with the shorter cells is averaged over those of the other. Values of unknown cells are taken as
 * moments beside means that are much longer than their step, else as cells like those of the other series.
 *
 * @param a rows in the range and as far outside as `reachMs`
 */
export function pairEpochs(a: ComparedSeries, b: ComparedSeries, pairing: Pairing, epochs: PairedEpochs): PairedSeries {
  const [one, other] = [withCells(a, cellBeside(a, b)), withCells(b, cellBeside(b, a))];
  const cellMs = Math.max(one.cellMs, other.cellMs);
  if (pairing.kind === "mean" || one.cellMs !== other.cellMs)
    return pairMeans(one, other, Math.max(cellMs, pairing.kind === "mean" ? pairing.intervalMs : 0), epochs);
  return { ...pairRows(one, other, pairing, epochs), cellMs, isOfMoments: false };
}

type SeriesOfCells = ComparedSeries & { readonly cellMs: number };

function withCells(series: ComparedSeries, cellMs: number): SeriesOfCells {
  return series.cellMs === cellMs ? (series as SeriesOfCells) : { ...series, cellMs };
}

function cellBeside(own: ComparedSeries, other: ComparedSeries): number {
  if (own.cellMs !== null) return own.cellMs;
  const otherMs = other.cellMs ?? 0;
  return 2 * own.stepMs <= otherMs ? 0 : otherMs;
}

/** Pairs of series of the same cells: the epochs of the series with fewer rows. */
function pairRows(
  a: SeriesOfCells,
  b: SeriesOfCells,
  pairing: Exclude<Pairing, { readonly kind: "mean" }>,
  { range, isOpen }: PairedEpochs,
): Joined & Pick<PairedSeries, "withinMs"> {
  const [insideA, insideB] = [rowsIn(a, range), rowsIn(b, range)];
  const isSwapped = insideB.timesMs.length < insideA.timesMs.length;
  const other = isSwapped ? a : b;
  const base = isSwapped ? (isOpen ? b : insideB) : isOpen ? a : insideA;
  const isNearest = pairing.kind === "nearest";
  const withinMs = isNearest ? (pairing.toleranceMs ?? toleranceMs(a, b)) : 0;
  const partner = isNearest
    ? other
    : interpolatedAt(other, base.timesMs, pairing.mostGapMs ?? STEPS_ACROSS * other.stepMs);
  const joined = isSwapped ? joinNearest(partner, base, "b", withinMs) : joinNearest(base, partner, "a", withinMs);
  return { ...joined, withinMs };
}

/** Half the finer step, so that no row is nearest to two regular epochs; a second for means, and for series of one row. */
function toleranceMs(a: SeriesOfCells, b: SeriesOfCells): number {
  const halfMs = Math.min(a.stepMs, b.stepMs) / 2;
  return a.cellMs > 0 || halfMs === Infinity ? SAME_START_MS : halfMs;
}

/** Pairs of means of the same intervals, which the range does not cut. */
function pairMeans(a: SeriesOfCells, b: SeriesOfCells, cellMs: number, { range, isOpen }: PairedEpochs): PairedSeries {
  const isSame = a.cellMs === b.cellMs;
  const longer = a.cellMs > b.cellMs ? a : b;
  const isSparse = (series: SeriesOfCells): boolean => series.cellMs === 0 && 2 * series.stepMs > longer.cellMs;
  const [ofA, ofB] = [a, b].map((series) => {
    // Averaged over the same cells first: gaps of observations would weigh less in a mean of means.
    const same = isSame ? series : meansOver(series, { startsMs: longer.timesMs, lengthMs: longer.cellMs });
    const means = cellMs > longer.cellMs ? gridMeans(same, cellMs) : same;
    return isOpen ? means : wholeMeans(means, cellMs, range);
  }) as [ComparedSeries, ComparedSeries];
  return {
    ...joinNearest(ofA, ofB, "a", 0),
    cellMs,
    withinMs: 0,
    isOfMoments: !isSame && (isSparse(a) || isSparse(b)),
  };
}

/** Counts the gaps between pairs. */
export function gapsBetween({ timesMs }: Pick<PairedValues, "timesMs">): PairGaps {
  const maxStepMs = STEPS_ACROSS * usualStepMs(timesMs);
  const gaps = { count: 0, totalSeconds: 0, longestSeconds: 0 };
  let lastMs = Number.NaN;
  for (const timeMs of timesMs) {
    const apartMs = timeMs - lastMs;
    lastMs = timeMs;
    if (!(apartMs > maxStepMs)) continue;
    gaps.count++;
    gaps.totalSeconds += apartMs / 1_000;
    gaps.longestSeconds = Math.max(gaps.longestSeconds, apartMs / 1_000);
  }
  return gaps;
}
