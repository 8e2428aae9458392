import type { Column, SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import type { CacheReader } from "#main/store/index.ts";

export interface Series extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/**
 * The content of a cache for some series, for comparison: requested ranges, and rows with their values. It does not
 * include whether extents are final, which depends on the size of the requests: an empty response must be confirmed.
 */
export function dump(cache: CacheReader, series: Series) {
  const { stationIds, variables, range, intervalSeconds, raw } = series;
  return stationIds.map((stationId) => {
    const rows = cache.rows({ stationId, variables, range, intervalSeconds, raw });
    return {
      stationId,
      requested: variables.map((v) => {
        const { final, provisional } = cache.coverage(stationId, v, series);
        return intersect(rangeSet([...final, ...provisional.map((p) => p.range)]), [range]);
      }),
      times: rows.timesMs.slice(),
      columns: variables.map((v) => valuesOf(rows.columns[v])),
    };
  });
}

/** Copies the values; `toEqual` distinguishes negative zero from zero and treats all NaN as equal. */
function valuesOf(column: Column | undefined): unknown {
  if (!column) return null;
  return column.values.slice();
}
