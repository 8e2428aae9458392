import type { NearestValues } from "#shared/bridge/methods/snapshot.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { lowerBound } from "#shared/arrays.ts";

/** Moments, and the maximum time between them and a value. */
export interface Moments {
  readonly momentsMs: readonly UtcMs[];
  readonly withinMs: number;
}

/** Creates an empty result for this number of moments times stations. */
export function noNearest(places: number): NearestValues {
  return { timesMs: new Float64Array(places).fill(Number.NaN), values: new Float64Array(places).fill(Number.NaN) };
}

/**
 * Updates `found` with the rows of a block that are nearer to each moment than the ones found before: the earlier of
 * two. Blocks must be in order of time.
 *
 * @param timesMs ascending
 * @param place `station` is the index among all `stations`: a moment's values are at `moment * stations + station`
 */
export function takeNearest(
  found: NearestValues,
  rows: { readonly timesMs: Float64Array; readonly values: Float64Array },
  { momentsMs, withinMs }: Moments,
  { station, stations }: { readonly station: number; readonly stations: number },
): void {
  const { timesMs, values } = rows;
  for (const [m, momentMs] of momentsMs.entries()) {
    const at = m * stations + station;
    const from = lowerBound(timesMs, momentMs);
    let after = from;
    while (Number.isNaN(values[after]) && timesMs[after]! - momentMs <= withinMs) after++;
    let before = from - 1;
    while (Number.isNaN(values[before]) && momentMs - timesMs[before]! <= withinMs) before--;
    for (const row of [before, after]) {
      const [timeMs, value] = [timesMs[row], values[row]];
      if (timeMs === undefined || value === undefined) continue;
      const distanceMs = Math.abs(timeMs - momentMs);
      if (distanceMs > withinMs || distanceMs >= Math.abs(found.timesMs[at]! - momentMs)) continue;
      found.timesMs[at] = timeMs;
      found.values[at] = value;
    }
  }
}
