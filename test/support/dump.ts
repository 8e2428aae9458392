import type { Column, SeriesMode } from "../../src/shared/series/rows.ts";
import type { Variable } from "../../src/shared/service/variables.ts";
import type { TimeRange } from "../../src/shared/time/range.ts";
import { intersect } from "../../src/shared/time/rangeset.ts";
import type { CacheReader } from "../../src/main/store/index.ts";

export interface Series extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/**
 * Everything that a cache holds of some series, in a form that can be compared: final extents, and each row with its
 * values to the bit (NaN as null, negative zero as itself).
 */
export function dump(cache: CacheReader, series: Series) {
  const { stationIds, variables, range, intervalSeconds, raw } = series;
  return stationIds.map((stationId) => {
    const rows = cache.rows({ stationId, variables, range, intervalSeconds, raw });
    return {
      stationId,
      final: variables.map((v) => intersect(cache.coverage(stationId, v, series).final, [range])),
      times: Array.from(rows.timesMs),
      columns: variables.map((v) => bits(rows.columns[v])),
    };
  });
}

function bits(column: Column | undefined): unknown {
  if (!column) return null;
  if (column.kind === "text") return column.values;
  return Array.from(column.values, (v) => (Number.isNaN(v) ? null : Object.is(v, -0) ? "-0" : v));
}
