import { type ComparedSeries, slicedRows, type ValueRows } from "./series.ts";

/** Steps of a series that are not a gap yet: interpolation crosses them. */
export const STEPS_ACROSS = 2.5;

/**
 * Returns the values at moments in ascending order, interpolated linearly between two rows at most so far apart; NaN without
 * such rows.
 */
export function interpolate({ timesMs, values }: ValueRows, momentsMs: Float64Array, mostGapMs: number): Float64Array {
  const found = new Float64Array(momentsMs.length).fill(Number.NaN);
  eachNeighbour(timesMs, momentsMs, (at, next) => {
    const momentMs = momentsMs[at]!;
    const nextMs = timesMs[next]!;
    const lastMs = timesMs[next - 1] ?? -Infinity;
    if (nextMs === momentMs) found[at] = values[next]!;
    else if (nextMs - lastMs <= mostGapMs) {
      const share = (momentMs - lastMs) / (nextMs - lastMs);
      found[at] = values[next - 1]! + (values[next]! - values[next - 1]!) * share;
    }
  });
  return found;
}

/** Returns a series at the moments at which it can be interpolated; a value has the flags of both its neighbours. */
export function interpolatedAt(series: ComparedSeries, momentsMs: Float64Array, mostGapMs: number): ComparedSeries {
  const { timesMs, flags } = series;
  const values = interpolate(series, momentsMs, mostGapMs);
  const all = { timesMs: momentsMs.slice(), values, flags: flags && new Uint8Array(values.length) };
  eachNeighbour(timesMs, momentsMs, (at, next) => {
    if (all.flags && flags)
      all.flags[at] = flags[next]! | (timesMs[next] === momentsMs[at] ? 0 : (flags[next - 1] ?? 0));
  });
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    all.timesMs[n] = all.timesMs[i]!;
    all.values[n] = values[i]!;
    if (all.flags) all.flags[n] = all.flags[i]!;
    n++;
  }
  return slicedRows({ ...series, ...all }, 0, n);
}

/** Calls `visit` with the index of each moment that is not after the last row, and of the first row not before it. */
function eachNeighbour(
  timesMs: Float64Array,
  momentsMs: Float64Array,
  visit: (at: number, next: number) => void,
): void {
  let next = 0;
  for (let at = 0; at < momentsMs.length; at++) {
    while (next < timesMs.length && timesMs[next]! < momentsMs[at]!) next++;
    if (next === timesMs.length) return;
    visit(at, next);
  }
}
