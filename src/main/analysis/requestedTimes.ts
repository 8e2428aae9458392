import type { Coverage } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { epochSeconds, type EpochSource } from "#shared/service/points.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import type { MeanIntervals } from "#shared/time/intervals.ts";
import { epochsIn, floorToInterval, type TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { emptyRuns, pushRun, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** Used for a station that is not in the catalogue: most have epochs of 30 s. */
export const UNKNOWN_STATION: EpochSource = { sourceType: "", resolutionSeconds: 0 };

/** Returns the seconds between two values of a variable without a gap: the interval, or its own cadence if that is longer. */
export function stepSeconds(station: EpochSource, variable: Variable, intervalSeconds: number | null): number {
  return Math.max(intervalSeconds ?? 0, epochSeconds(station), updateSeconds(variable, station));
}

function updateSeconds(variable: Variable, station: EpochSource): number {
  const { streamSeconds, standardSeconds } = variableInfo(variable);
  if (station.sourceType === "stream_gnss") return streamSeconds;
  // The 30 s of most variables are the receiver's cadence, which the catalogue has more exactly.
  return standardSeconds > 30 ? standardSeconds : 0;
}

/** Returns the starts of the intervals that contain any of the times, each once. */
export function intervalTimes(times: Runs, { startOf, endOf }: MeanIntervals): Runs {
  const starts = emptyRuns();
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const run of times.list) {
    for (let k = 0; k < run.count;) {
      const startMs = startOf(run.startMs + k * run.stepMs);
      if (startMs !== lastMs) pushRun(starts, { startMs, stepMs: 0, count: 1 });
      lastMs = startMs;
      // Skips to the first time after this interval.
      const beyond = Math.ceil((endOf(startMs) - run.startMs) / run.stepMs);
      k = Math.max(k + 1, beyond);
    }
  }
  return starts;
}

/** Assumed of a station that is not in the catalogue. */
export function hasEverSent(station: CatalogueStation | null): boolean {
  return station === null || !station.hasNeverSent;
}

/** Returns the part of a range in which a station could have sent: from its first observation to now. */
export function sendingTime(
  station: CatalogueStation | null,
  range: TimeRange,
  stepSeconds: number,
  nowMs: UtcMs,
): RangeSet {
  if (!hasEverSent(station)) return [];
  const firstMs = station?.historicDataFromMs ?? null;
  const startMs = firstMs === null ? range.startMs : floorToInterval(firstMs, stepSeconds);
  return intersect(rangeSet([range]), rangeSet([{ startMs, endMs: nowMs }]));
}

/** Returns the time that was requested and answered, whether it is final or not. */
export function answeredTime({ final, provisional }: Coverage): RangeSet {
  return rangeSet([...final, ...provisional.map((p) => p.range)]);
}

/** Returns the number of epochs in a set of ranges. */
export function epochsOf(where: RangeSet, stepSeconds: number): number {
  return where.reduce((sum, range) => sum + epochsIn(range, stepSeconds), 0);
}
