import type { TimeRange } from "#shared/time/range.ts";
import { runEndMs, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gapsBetween } from "../analysis/gaps.ts";
import { epochsOf } from "../analysis/requestedTimes.ts";
import type { StationContents } from "../store/types.ts";

/** The values that a station should have in a response. */
export interface ExpectedValues {
  readonly range: TimeRange;
  readonly stepSeconds: number;
}

/** Why no value of a response can be believed to be of its time, as the end of a sentence; null if they may be. */
export function findWrongTimes(
  stations: readonly StationContents[],
  intervalSeconds: number | null,
  expectedOf: (station: StationContents) => ExpectedValues,
): string | null {
  for (const station of stations) {
    if (station.times.total === 0) continue;
    const expected = expectedOf(station);
    if (areCoarse(station, expected)) return "several values of a station have the same time";
    if (intervalSeconds !== null && areLonger(station.times, intervalSeconds, expected))
      return "its means are those of longer intervals";
  }
  return null;
}

/** A quarter of the rows is missing, and there are at least half as many contradictions. */
const COARSE = { missingShare: 0.25, conflictShare: 0.5 };

/** Times without seconds, for example: rows of several epochs have the same time, and contradict each other. */
function areCoarse({ conflicts, times }: StationContents, { range, stepSeconds }: ExpectedValues): boolean {
  if (conflicts === 0) return false;
  const missing = epochsOf(gapsBetween(times, range, stepSeconds), stepSeconds);
  const onGrid = times.list.every(({ stepMs, count }) => count === 1 || stepMs > stepSeconds * 1_000);
  return onGrid && missing >= times.total * COARSE.missingShare && conflicts >= missing * COARSE.conflictShare;
}

/** Fewer rows may lie on a longer grid by chance. */
const FEWEST_ROWS = 4;

/** Whether the times lie on the grid of a longer interval, although the station has observations in each one. */
function areLonger(times: Runs, intervalSeconds: number, { stepSeconds }: ExpectedValues): boolean {
  const [first, last] = [times.list[0], times.list.at(-1)];
  if (!first || !last || times.total < FEWEST_ROWS || stepSeconds !== intervalSeconds) return false;
  const intervalMs = intervalSeconds * 1_000;
  const isSparse = (times.total - 1) * 2 * intervalMs <= runEndMs(last) - first.startMs;
  const grid = times.list.reduce((g, run) => greatestDivisor(greatestDivisor(g, run.startMs), run.stepMs), 0);
  return isSparse && grid > intervalMs;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * - shifted: the rows of the station are as many epochs beyond one end of the range as they lack at the other
 * - unclear: they may be, but lack more
 */
export type Shift = "shifted" | "unclear" | null;

/**
 * Finds rows whose times are shifted, such as local ones. One row beyond the range is that of a service with an inclusive
 * end: only means, whose times may be the ends of their intervals, are then shifted.
 */
export function findShift(station: StationContents, { range, stepSeconds }: ExpectedValues, isMean: boolean): Shift {
  const fewest = isMean ? 1 : 2;
  if (Math.max(station.before, station.beyond) < fewest) return null;
  const [first, last] = [station.times.list[0], station.times.list.at(-1)];
  const stepMs = stepSeconds * 1_000;
  const onGrid = (moment: UtcMs): number => Math.ceil(moment / stepMs) * stepMs;
  const endMs = onGrid(range.endMs);
  const lackingFirst = Math.round(((first?.startMs ?? endMs) - onGrid(range.startMs)) / stepMs);
  const lackingLast = Math.round((endMs - (last ? runEndMs(last) + stepMs : onGrid(range.startMs))) / stepMs);
  const shiftOf = (outside: number, lacking: number): Shift => {
    if (outside < fewest || lacking < outside) return null;
    // Rows of another day lie apart from the range; those of a service that rounds ranges adjoin it.
    if (lacking === outside || station.distanceMs > stepMs) return "shifted";
    return first ? "unclear" : null;
  };
  return shiftOf(station.beyond, lackingFirst) ?? shiftOf(station.before, lackingLast);
}
