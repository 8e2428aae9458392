import { epochsIn, intervalsIn } from "../time/interval.ts";
import type { TimeRange } from "../time/range.ts";

/** What the size rule needs to know of a station. */
export interface EpochSource {
  readonly sourceType: string;
  /** Seconds between observations; 0 means the native receiver rate, which the catalogue does not tell. */
  readonly resolutionSeconds: number;
}

/**
 * Seconds between the observations of a station. For the native rate (0) the nominal cadence of its receiver kind
 * stands in (specification 2.4): 1 s for stream receivers, 30 s for all others.
 */
export function epochSeconds(station: EpochSource): number {
  return knownResolution(station.resolutionSeconds) ?? (station.sourceType === "stream_gnss" ? 1 : 30);
}

/** No receiver is slower than this; what says to be is a mistake. Seconds. */
const LONGEST_RESOLUTION_S = 86_400;

/** Whole seconds between observations, where the number is one that a receiver can have; null for the native rate too. */
export function knownResolution(resolutionSeconds: number): number | null {
  const whole = Math.round(resolutionSeconds);
  return whole >= 1 && whole <= LONGEST_RESOLUTION_S ? whole : null;
}

/**
 * Data points of one station in a range by section 8: one per epoch, or one per interval where the interval is longer
 * than the epoch. The number of variables does not count.
 */
export function stationPoints(range: TimeRange, epochS: number, intervalSeconds: number | null): number {
  return intervalSeconds !== null && intervalSeconds > epochS
    ? intervalsIn(range, intervalSeconds)
    : epochsIn(range, epochS);
}

/** Size of a query by section 8: points summed over its stations. */
export function queryPoints(stations: Iterable<EpochSource>, range: TimeRange, intervalSeconds: number | null): number {
  let sum = 0;
  for (const station of stations) sum += stationPoints(range, epochSeconds(station), intervalSeconds);
  return sum;
}
