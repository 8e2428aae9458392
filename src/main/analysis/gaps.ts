import type { Gap, GapCause } from "#shared/series/gap.ts";
import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import { ceilToInterval, floorToInterval } from "#shared/time/interval.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { emptyRuns, pushRunIn, type Runs, runEndMs } from "#shared/time/runs.ts";
import { difference, intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";

/** What is known of one series: what was asked, and the times of its rows. */
export interface SeriesKnowledge {
  readonly coverage: Coverage;
  readonly times: Runs;
}

export interface GapInput extends SeriesKnowledge {
  readonly range: TimeRange;
  readonly mode: SeriesMode;
  readonly epochSeconds: number;
  /** As the catalogue tells them; a station without either has never sent anything. */
  readonly historicDataFromMs: number | null;
  readonly dataLastUpdatedMs: number | null;
  readonly isForbidden: boolean;
  /** Ranges that were asked in vain. */
  readonly failed: RangeSet;
  /** The raw series of the same station and interval, where it was asked too. */
  readonly raw: SeriesKnowledge | null;
}

/** A distance between rows is a gap from here on: one missing epoch is, jitter of a receiver's clock is not. */
const GAP_STEPS = 1.5;

/** Every gap of a series in a range with its cause, in order of time; neighbours differ in cause or do not touch. */
export function explainGaps(input: GapInput): Gap[] {
  const { coverage, raw } = input;
  const stepSeconds = Math.max(input.mode.intervalSeconds ?? 0, input.epochSeconds);
  const found: Gap[] = [];
  let left = gapsBetween(input.times, input.range, stepSeconds);
  const take = (where: RangeSet, cause: GapCause): void => {
    for (const range of intersect(left, where)) found.push({ range, cause });
    left = difference(left, where);
  };

  const everywhere = [input.range];
  const covered = rangeSet([...coverage.final, ...coverage.provisional.map((p) => p.range)]);
  const uncovered = difference(everywhere, covered);
  take(beforeHistory(input, stepSeconds), "beforeHistory");
  if (input.isForbidden) take(uncovered, "noEntitlement");
  if (input.historicDataFromMs === null && input.dataLastUpdatedMs === null) take(everywhere, "nothingSent");
  take(intersect(rangeSet(input.failed), uncovered), "failed");
  take(uncovered, "notAsked");
  take(rangeSet(coverage.provisional.map((p) => p.range)), "notFinal");
  if (input.mode.raw) take(everywhere, "nothingSent");
  if (raw) {
    const rawGaps = gapsBetween(raw.times, input.range, stepSeconds);
    take(difference(everywhere, rawGaps), "filteredOut");
    take(rangeSet(raw.coverage.final), "nothingSent");
  }
  take(everywhere, "nothingOrFiltered");
  return found.toSorted((a, b) => a.range.startMs - b.range.startMs);
}

function beforeHistory(input: GapInput, stepSeconds: number): RangeSet {
  if (input.historicDataFromMs === null) return [];
  const firstMs = floorToInterval(input.historicDataFromMs, stepSeconds);
  return rangeSet([{ startMs: input.range.startMs, endMs: Math.min(firstMs, input.range.endMs) }]);
}

/**
 * Where rows are missing, by time alone: a row stands for the step that begins with it, and a gap begins where the
 * next row is more than 1.5 steps away. Before the range, and after it, a row is assumed on the grid of the step.
 *
 * @param times may reach beyond the range
 */
export function gapsBetween(times: Runs, range: TimeRange, stepSeconds: number): RangeSet {
  const stepMs = stepSeconds * 1000;
  const mostMs = stepMs * GAP_STEPS;
  const gaps: TimeRange[] = [];
  let lastMs = ceilToInterval(range.startMs, stepSeconds) - stepMs;
  const goTo = (nextMs: number): void => {
    if (nextMs - lastMs > mostMs)
      gaps.push({ startMs: Math.max(range.startMs, lastMs + stepMs), endMs: Math.min(range.endMs, nextMs) });
    lastMs = nextMs;
  };
  const inside = emptyRuns();
  times.counts.forEach((count, i) => pushRunIn(inside, range, times.startsMs[i]!, times.stepsMs[i]!, count));
  for (let i = 0; i < inside.counts.length; i++) {
    const startMs = inside.startsMs[i]!;
    goTo(startMs);
    if (inside.stepsMs[i]! <= mostMs) lastMs = runEndMs(inside, i);
    else for (let k = 1; k < inside.counts[i]!; k++) goTo(startMs + k * inside.stepsMs[i]!);
  }
  goTo(ceilToInterval(range.endMs, stepSeconds));
  return rangeSet(gaps);
}
