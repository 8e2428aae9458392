import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import type { SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { readBlocks } from "../../export/source.ts";
import { type CacheReader, cutRows } from "../../store/index.ts";

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

/** The mode of the cached rows that a mode is read from. */
export function storedMode(mode: ReadMode): SeriesMode {
  return { intervalSeconds: isResampled(mode) ? null : mode.intervalSeconds, raw: mode.raw };
}

/** Reads the rows of one station block by block, cut to the range. There are no averages for stations outside the catalogue. */
export function* blocksOf(
  cache: CacheReader,
  { variables, range, mode }: ReadSelection,
  stationId: string,
): IterableIterator<SeriesRows> {
  if (!isResampled(mode)) {
    yield* cache.blocks({ stationId, variables, range, ...storedMode(mode) });
    return;
  }
  const station = cache.station(stationId);
  if (!station) return;
  // The first interval may begin before the range.
  for (const rows of readBlocks(cache, { ...mode, range, variables }, station)) yield cutRows(rows, range);
}
