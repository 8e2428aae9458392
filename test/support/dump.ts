import type { Column, SeriesMode } from "../../src/shared/series/rows.ts";
import type { Variable } from "../../src/shared/service/variables.ts";
import type { TimeRange } from "../../src/shared/time/range.ts";
import { intersect, rangeSet } from "../../src/shared/time/rangeset.ts";
import type { CacheReader } from "../../src/main/store/index.ts";

export interface Series extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/**
 * Everything that a cache holds of some series, in a form that can be compared: what counts as asked, and each row with its
 * values. Whether it is final depends on how the questions were cut: an answer without any row has to be confirmed.
 */
export function dump(cache: CacheReader, series: Series) {
  const { stationIds, variables, range, intervalSeconds, raw } = series;
  return stationIds.map((stationId) => {
    const rows = cache.rows({ stationId, variables, range, intervalSeconds, raw });
    return {
      stationId,
      asked: variables.map((v) => {
        const { final, provisional } = cache.coverage(stationId, v, series);
        return intersect(rangeSet([...final, ...provisional.map((p) => p.range)]), [range]);
      }),
      times: rows.timesMs.slice(),
      columns: variables.map((v) => valuesOf(rows.columns[v])),
    };
  });
}

/** As they are: `toEqual` tells negative zero from zero, and takes each NaN for the other. */
function valuesOf(column: Column | undefined): unknown {
  if (!column) return null;
  return column.values.slice();
}
