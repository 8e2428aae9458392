import type { SeriesSelection } from "#shared/series/rows.ts";
import type { CacheReader } from "../store/types.ts";

/** Times of the rows in which a variable of the selection has a value, in one array. */
export function valueTimes(cache: CacheReader, selection: SeriesSelection): Float64Array {
  const parts = [...cache.times(selection, "values")];
  const times = new Float64Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    times.set(part, at);
    at += part.length;
  }
  return times;
}
