import type { SatelliteNumbers } from "./numbers.ts";

/** The time of each entry: of a table with a row for each satellite. */
export function timesOfEntries({ timesMs, offsets }: Pick<SatelliteNumbers, "timesMs" | "offsets">): Float64Array {
  const times = new Float64Array(offsets.at(-1)!);
  for (let row = 0; row < timesMs.length; row++) times.fill(timesMs[row]!, offsets[row], offsets[row + 1]);
  return times;
}
