import type { SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect } from "#shared/time/rangeset.ts";
import { expandRuns } from "#shared/time/runs.ts";
import type { CacheReader } from "../store/types.ts";

const BLOCK = 4_096;

/**
 * Whether raw rows lack a time of the cached rows that passed the quality filter. Raw data contain these too (section 4.4
 * of the specification), so such a response is incomplete. Rows that may still change do not count.
 *
 * @param timesMs times of the raw rows, ascending
 */
export function lacksFilteredRows(
  cache: CacheReader,
  request: Pick<SeriesMode, "intervalSeconds"> & {
    readonly stationId: string;
    readonly variables: readonly Variable[];
    readonly range: TimeRange;
  },
  timesMs: Float64Array,
): boolean {
  const { stationId, intervalSeconds } = request;
  const mode = { intervalSeconds, raw: false };
  return request.variables.some((variable) =>
    intersect(cache.coverage(stationId, variable, mode).final, [request.range]).some((range) => {
      let i = 0;
      for (const runs of cache.times({ stationId, variables: [variable], range, ...mode })) {
        for (const block of expandRuns(runs, BLOCK)) {
          for (const timeMs of block) {
            while (i < timesMs.length && timesMs[i]! < timeMs) i++;
            if (timesMs[i] !== timeMs) return true;
          }
        }
      }
      return false;
    }),
  );
}
