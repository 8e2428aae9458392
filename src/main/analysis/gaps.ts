import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import { ceilToInterval, floorToInterval, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import { emptyRuns, pushRunIn, runEndMs, type Runs } from "#shared/time/runs.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";

/** The cached state of one series: its coverage, and the times of its rows. */
interface SeriesKnowledge {
  readonly coverage: Coverage;
  readonly times: Runs;
}

/** @property newer where raw data were received after the last filtered response; absent: nowhere */
type RawKnowledge<T> = T & { readonly newer?: RangeSet };

export interface GapInput extends SeriesKnowledge {
  readonly range: TimeRange;
  readonly mode: SeriesMode;
  readonly epochSeconds: number;
  /** From the catalogue: the first measurement, null if unknown, and whether it states that there is none. */
  readonly historicDataFromMs: number | null;
  readonly hasNeverSent: boolean;
  readonly isForbidden: boolean;
  /** Ranges whose requests failed. */
  readonly failed: RangeSet;
  /** The raw series of the same station and interval, if it was requested too. */
  readonly raw: RawKnowledge<SeriesKnowledge> | null;
}

/** Steps between two rows from which on there is a gap: one missing epoch is a gap, jitter of a receiver's clock is not. */
export const GAP_STEPS = 1.5;

/** Returns every gap of a series in a range with its cause, in order of time; adjacent gaps have different causes. */
export function explainGaps(input: GapInput): Gap[] {
  const { coverage, raw } = input;
  const stepSeconds = Math.max(input.mode.intervalSeconds ?? 0, input.epochSeconds);
  const found: Gap[] = [];
  const steady = intersect(rangeSet(coverage.final), steadyTime(input.times, stepSeconds));
  let left = difference(gapsBetween(input.times, input.range, stepSeconds), steady);
  const take = (where: RangeSet, cause: GapCause): void => {
    for (const range of intersect(left, where)) found.push({ range, cause });
    left = difference(left, where);
  };

  const everywhere = [input.range];
  // A step is missing for the reason at its epoch: if a download begins within a step, nobody requested its row.
  const wholeSteps = (ranges: RangeSet): RangeSet => toEpochs(ranges, stepSeconds);
  const provisional = rangeSet(coverage.provisional.map((p) => p.range));
  const uncovered = difference(everywhere, wholeSteps(union(coverage.final, provisional)));
  take(beforeHistory(input, stepSeconds), "beforeHistory");
  if (input.isForbidden) take(uncovered, "noAccess");
  if (input.hasNeverSent) take(everywhere, "nothingSent");
  take(intersect(wholeSteps(input.failed), uncovered), "failed");
  take(uncovered, "notRequested");
  // Raw observations explain a confirmed gap, or one that they are newer than: else the filtered response may be the one
  // that is incomplete.
  const explained = wholeSteps(union(coverage.final, raw?.newer ?? []));
  if (raw) take(difference(explained, gapsBetween(raw.times, input.range, stepSeconds)), "filteredOut");
  take(wholeSteps(provisional), "mayStillArrive");
  if (input.mode.raw) take(everywhere, "nothingSent");
  if (raw) take(wholeSteps(raw.coverage.final), "nothingSent");
  take(everywhere, "nothingOrFiltered");
  return found.toSorted((a, b) => a.range.startMs - b.range.startMs);
}

/** A run of this many rows and this long shows the cadence of its time, if its absences are confirmed. */
const STEADY = { rows: 20, lengthMs: HOUR_MS };

/** Returns the time in which the rows follow each other at a longer step than the present one. */
function steadyTime(times: Runs, stepSeconds: number): RangeSet {
  const runs = times.list.filter(
    ({ stepMs, count }) =>
      stepMs > stepSeconds * 1_000 * GAP_STEPS && count >= STEADY.rows && (count - 1) * stepMs >= STEADY.lengthMs,
  );
  return rangeSet(runs.map((run) => ({ startMs: run.startMs, endMs: runEndMs(run) + run.stepMs })));
}

/** Returns the steps whose epochs are in the ranges. */
function toEpochs(ranges: RangeSet, stepSeconds: number): RangeSet {
  return rangeSet(
    ranges.map(({ startMs, endMs }) => ({
      startMs: ceilToInterval(startMs, stepSeconds),
      endMs: ceilToInterval(endMs, stepSeconds),
    })),
  );
}

function beforeHistory(input: GapInput, stepSeconds: number): RangeSet {
  if (input.historicDataFromMs === null) return [];
  const firstMs = floorToInterval(input.historicDataFromMs, stepSeconds);
  return rangeSet([{ startMs: input.range.startMs, endMs: Math.min(firstMs, input.range.endMs) }]);
}

/**
 * Returns the ranges without rows, by time alone: a row covers the step that begins with it, and a gap begins if the next
 * row is more than 1.5 steps away. Before and after the range, a row is assumed on the grid of the step.
 *
 * @param times may extend beyond the range
 */
export function gapsBetween(times: Runs, range: TimeRange, stepSeconds: number): RangeSet {
  const stepMs = stepSeconds * 1000;
  const maxMs = stepMs * GAP_STEPS;
  const gaps: TimeRange[] = [];
  let lastMs = ceilToInterval(range.startMs, stepSeconds) - stepMs;
  const advanceTo = (nextMs: number): void => {
    if (nextMs - lastMs > maxMs)
      gaps.push({ startMs: Math.max(range.startMs, lastMs + stepMs), endMs: Math.min(range.endMs, nextMs) });
    lastMs = nextMs;
  };
  const inside = emptyRuns();
  for (const run of times.list) pushRunIn(inside, range, run);
  for (const run of inside.list) {
    advanceTo(run.startMs);
    if (run.stepMs <= maxMs) lastMs = runEndMs(run);
    else for (let k = 1; k < run.count; k++) advanceTo(run.startMs + k * run.stepMs);
  }
  advanceTo(ceilToInterval(range.endMs, stepSeconds));
  return rangeSet(gaps);
}

/** Length of the windows in which times are read, so that memory does not grow with the range. */
const WINDOW_MS = 30 * DAY_MS;

/** Times of the rows that have a value. */
export type TimesIn = (range: TimeRange) => Runs;

/** Counts the rows of a range of any length, and returns where none are, as `gapsBetween`. */
export function gapsOver(timesIn: TimesIn, range: TimeRange, stepSeconds: number): { rows: number; gaps: RangeSet } {
  let rows = 0;
  const gaps: TimeRange[] = [];
  for (const window of windowsOf(range)) {
    const times = timesIn(window);
    rows += times.total;
    gaps.push(...gapsBetween(times, window, stepSeconds));
  }
  return { rows, gaps: rangeSet(gaps) };
}

function* windowsOf({ startMs, endMs }: TimeRange): Generator<TimeRange> {
  for (let fromMs = startMs; fromMs < endMs; fromMs += WINDOW_MS)
    yield { startMs: fromMs, endMs: Math.min(endMs, fromMs + WINDOW_MS) };
}

interface GapWalkInput extends Omit<GapInput, "times" | "raw"> {
  readonly timesIn: TimesIn;
  /** See `GapInput.raw`. */
  readonly raw: RawKnowledge<{ readonly coverage: Coverage; readonly timesIn: TimesIn }> | null;
}

/** Yields the gaps of `explainGaps` over a range of any length. */
export function* walkGaps(input: GapWalkInput): IterableIterator<Gap> {
  const { range, raw, timesIn } = input;
  let last: Gap | null = null;
  for (const window of windowsOf(range)) {
    const known = widened(window, input);
    const found = explainGaps({
      ...input,
      range: known,
      times: timesIn(known),
      raw: raw && { ...raw, times: raw.timesIn(known) },
    });
    for (const whole of found) {
      const gap = cutGap(whole, window);
      if (gap.range.endMs <= gap.range.startMs) continue;
      // A gap that continues across the boundary of two windows is one gap.
      if (last && last.cause === gap.cause && last.range.endMs === gap.range.startMs) {
        last = { cause: gap.cause, range: { startMs: last.range.startMs, endMs: gap.range.endMs } };
      } else {
        if (last) yield last;
        last = gap;
      }
    }
  }
  if (last) yield last;
}

/** Extends a window to rows just outside, because rows off the grid would otherwise appear to leave a gap at its boundary. */
function widened(window: TimeRange, { range, mode, epochSeconds }: GapWalkInput): TimeRange {
  const marginMs = 2_000 * Math.max(mode.intervalSeconds ?? 0, epochSeconds);
  return {
    startMs: Math.max(range.startMs, window.startMs - marginMs),
    endMs: Math.min(range.endMs, window.endMs + marginMs),
  };
}

function cutGap({ range, cause }: Gap, window: TimeRange): Gap {
  const startMs = Math.max(range.startMs, window.startMs);
  return { cause, range: { startMs, endMs: Math.min(range.endMs, window.endMs) } };
}
