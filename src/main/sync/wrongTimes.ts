import type { StationContents } from "../store/types.ts";
import { countMissingRows, type ExpectedRows, medianStepMs } from "./doubts.ts";

/** A quarter of the rows is missing, and there are at least half as many contradictions. */
const COARSE = { missingShare: 0.25, conflictShare: 0.5 };

/**
 * Returns why no value of a response can be believed to be of its time, as the end of a sentence; null if they may be.
 *
 * The times of a station may be coarser than its observations, such as times without seconds: then rows of several epochs
 * have the same time and contradict each other.
 */
export function findWrongTimes(
  stations: readonly StationContents[],
  expectedOf: (stationId: string) => ExpectedRows,
): string | null {
  const isCoarse = ({ stationId, rows, conflicts, timesMs }: StationContents): boolean => {
    if (conflicts === 0) return false;
    const { range, stepSeconds } = expectedOf(stationId);
    const times = timesMs();
    // Otherwise the missing rows are a gap of the station, and the contradictions something else.
    if (medianStepMs(times) <= stepSeconds * 1_000) return false;
    const missing = countMissingRows(times, range, stepSeconds);
    return missing >= rows * COARSE.missingShare && conflicts >= missing * COARSE.conflictShare;
  };
  const why = "its times are coarser than its observations, so that many epochs have several values";
  return stations.some(isCoarse) ? why : null;
}

/** Fewer rows may lie on a longer grid by chance. */
const FEWEST_ROWS = 4;

/**
 * Returns why the values of a response are no means of the requested intervals, as the end of a sentence; null if they may
 * be. Their times tell: the specification says that a mean has the start of its interval.
 *
 * @param expectedOf considers only the variables that have values: a station may send nothing but slower ones
 */
export function findWrongMeans(
  stations: readonly StationContents[],
  intervalSeconds: number,
  expectedOf: (station: StationContents) => ExpectedRows,
): string | null {
  const withRows = stations.filter((s) => s.rows > 0);
  if (withRows.length === 0) return null;
  const intervalMs = intervalSeconds * 1_000;
  // One interval late throughout: the first is missing, and the last is beyond the range.
  const areEnds = withRows.every((s) => s.atEnd > 0 && s.span()?.firstMs === expectedOf(s).range.startMs + intervalMs);
  if (areEnds) return "its times seem to be the ends of the intervals";

  const areLonger = withRows.some(
    (s) =>
      s.rows >= FEWEST_ROWS &&
      isSparse(s, intervalMs) &&
      gridOf(s.timesMs()) > intervalMs &&
      expectedOf(s).stepSeconds === intervalSeconds,
  );
  return areLonger ? "its means are those of longer intervals" : null;
}

/** Whether the rows may lie on a longer grid: they fill at most every second interval. */
function isSparse(station: StationContents, intervalMs: number): boolean {
  const span = station.span();
  return span !== null && (station.rows - 1) * 2 * intervalMs <= span.lastMs - span.firstMs;
}

/** Returns the longest grid from 1970 on that all times lie on, ms. */
function gridOf(timesMs: Float64Array): number {
  return timesMs.reduce(greatestDivisor, 0);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
