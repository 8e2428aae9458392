import { epochsIn, intervalsIn, type TimeRange } from "../time/range.ts";

/** Properties of a station that determine the size of its data. */
export interface EpochSource {
  readonly sourceType: string;
  /** Seconds between observations; 0 means the native receiver rate, which the catalogue does not state. */
  readonly resolutionSeconds: number;
}

/**
 * Returns the seconds between observations of a station. For the native rate (0), it is the nominal cadence of its
 * source type (specification 2.4): 1 s for stream receivers, 30 s for all others.
 */
export function epochSeconds(station: EpochSource): number {
  return knownResolution(station.resolutionSeconds) ?? (station.sourceType === "stream_gnss" ? 1 : 30);
}

/** Larger values are errors of the catalogue. Seconds. */
const MAX_RESOLUTION_S = 86_400;

/** Returns the seconds between observations, rounded; null for the native rate and implausible values. */
export function knownResolution(resolutionSeconds: number): number | null {
  const whole = Math.round(resolutionSeconds);
  return whole >= 1 && whole <= MAX_RESOLUTION_S ? whole : null;
}

/**
 * Returns the data points of one station in a range by section 8: one per epoch, or one per interval if the interval is
 * longer than the epoch, regardless of the number of variables.
 */
export function stationPoints(range: TimeRange, epochS: number, intervalSeconds: number | null): number {
  return intervalSeconds !== null && intervalSeconds > epochS
    ? intervalsIn(range, intervalSeconds)
    : epochsIn(range, epochS);
}
