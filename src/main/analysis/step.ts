import { epochSeconds, type EpochSource } from "#shared/service/points.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";

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
