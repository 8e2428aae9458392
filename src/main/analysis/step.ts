import { epochSeconds, type EpochSource } from "#shared/service/points.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";

/** Stands in for a station that the catalogue does not know: most send every 30 s. */
export const UNKNOWN_STATION: EpochSource = { sourceType: "", resolutionSeconds: 0 };

/** Seconds between two values of a variable where none is missing: the interval, or its own cadence where that is longer. */
export function stepSeconds(station: EpochSource, variable: Variable, intervalSeconds: number | null): number {
  return Math.max(intervalSeconds ?? 0, epochSeconds(station), updateSeconds(variable, station));
}

function updateSeconds(variable: Variable, station: EpochSource): number {
  const { streamSeconds, standardSeconds } = variableInfo(variable);
  if (station.sourceType === "stream_gnss") return streamSeconds;
  // The 30 s of most variables are those of the receiver, and the catalogue knows the receiver better.
  return standardSeconds > 30 ? standardSeconds : 0;
}
