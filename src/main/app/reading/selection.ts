import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { readBlocks } from "../../export/source.ts";
import { cutRows } from "../../store/chunks/rows.ts";
import type { CacheReader } from "../../store/types.ts";

/** What a window reads from the cache. */
export interface ReadSelection {
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
}

/** Whether rows are averages computed here from native ones. */
export function isResampled(mode: ReadMode): mode is ReadMode & { readonly intervalSeconds: number } {
  return mode.resampled && mode.intervalSeconds !== null;
}

/** Reads the rows of one station block by block, cut to the range. There are no averages for stations outside the catalogue. */
export function* blocksOf(
  cache: CacheReader,
  { range, mode }: ReadSelection,
  stationId: string,
  variables: readonly Variable[],
): IterableIterator<SeriesRows> {
  if (!isResampled(mode)) {
    const { raw, intervalSeconds } = mode;
    yield* cache.blocks({ stationId, variables, range, raw, intervalSeconds });
    return;
  }
  const station = cache.station(stationId);
  if (!station) return;
  // The first interval may begin before the range.
  for (const rows of readBlocks(cache, { ...mode, range }, station, variables)) yield cutRows(rows, range);
}
