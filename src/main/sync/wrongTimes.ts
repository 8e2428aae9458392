import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { runEndMs, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { gapsBetween } from "../analysis/gaps.ts";
import { epochsOf } from "../analysis/requestedTimes.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { StationContents } from "../store/types.ts";

/** The values that a station should have in a response. */
export interface ExpectedValues {
  readonly range: TimeRange;
  readonly stepSeconds: number;
}

/** Whether several values of a station have the same time, so that the time of none is certain. */
export function hasCoarseTimes(station: StationContents, expected: ExpectedValues): boolean {
  return station.times.total > 0 && areCoarse(station, expected);
}

/**
 * Rows that look as if their times were wrong. A station with gaps, at a service that rounds ranges, looks the same. A request
 * tells the two apart: only if the times are wrong, the time that seems to lack rows has some.
 */
export interface Suspicion {
  readonly kind: "shifted" | "unclear" | "longer";
  readonly stationId: string;
  readonly lacking: TimeRange;
  /** null: no service that rounds ranges sends such rows. */
  readonly question: Pick<PlannedRequest, "range" | "intervalSeconds"> | null;
}

/** Finds rows whose times may be wrong: shifted, or those of longer intervals than requested; null if there are none. */
export function findSuspicion(
  station: StationContents,
  intervalSeconds: number | null,
  { all, valued }: { readonly all: ExpectedValues; readonly valued: ExpectedValues },
): Suspicion | null {
  const { stationId, times } = station;
  const [first, last] = [times.list[0], times.list.at(-1)];
  const kind = findShift(station, all, intervalSeconds !== null);
  if (kind !== null) {
    const { startMs, endMs } = all.range;
    const isLate = kind.outside === "beyond";
    const lacking = isLate
      ? { startMs, endMs: first?.startMs ?? endMs }
      : { startMs: last ? runEndMs(last) + 1 : startMs, endMs };
    const lengthMs = durationMs(lacking);
    const range = isLate
      ? { startMs: lacking.startMs - lengthMs, endMs: lacking.endMs }
      : { startMs: lacking.startMs, endMs: lacking.endMs + lengthMs };
    // Rows of another day lie apart from the range; those of a service that rounds ranges adjoin it.
    const isCertain = station.distanceMs > all.stepSeconds * 1_000;
    return { kind: kind.shift, stationId, lacking, question: isCertain ? null : { range, intervalSeconds } };
  }
  if (times.total === 0 || intervalSeconds === null || !areLonger(times, intervalSeconds, valued)) return null;
  const gap = gapsBetween(times, valued.range, intervalSeconds)[0];
  if (!gap) return null;
  const lacking = { startMs: gap.startMs, endMs: gap.startMs + intervalSeconds * 1_000 };
  return { kind: "longer", stationId, lacking, question: { range: lacking, intervalSeconds: null } };
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
interface Shift {
  readonly shift: "shifted" | "unclear";
  /** The end beyond which rows lie. */
  readonly outside: "before" | "beyond";
}

/**
 * Finds rows whose times are shifted, such as local ones. One row beyond the range is that of a service with an inclusive
 * end: only means, whose times may be the ends of their intervals, are then shifted.
 */
function findShift(station: StationContents, { range, stepSeconds }: ExpectedValues, isMean: boolean): Shift | null {
  const fewest = isMean ? 1 : 2;
  if (Math.max(station.before, station.beyond) < fewest) return null;
  const [first, last] = [station.times.list[0], station.times.list.at(-1)];
  const stepMs = stepSeconds * 1_000;
  const onGrid = (moment: UtcMs): number => Math.ceil(moment / stepMs) * stepMs;
  const endMs = onGrid(range.endMs);
  const lackingFirst = Math.round(((first?.startMs ?? endMs) - onGrid(range.startMs)) / stepMs);
  const lackingLast = Math.round((endMs - (last ? runEndMs(last) + stepMs : onGrid(range.startMs))) / stepMs);
  const shiftOf = (outside: Shift["outside"], lacking: number): Shift | null => {
    const rows = station[outside];
    if (rows < fewest || lacking < rows) return null;
    if (lacking === rows || station.distanceMs > stepMs) return { shift: "shifted", outside };
    return first ? { shift: "unclear", outside } : null;
  };
  return shiftOf("beyond", lackingFirst) ?? shiftOf("before", lackingLast);
}
