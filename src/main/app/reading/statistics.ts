import type { SeriesStatistics } from "#shared/bridge/methods/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import { collectStatistics } from "../../analysis/statistics.ts";
import { stepSeconds } from "../../analysis/step.ts";
import type { CacheReader } from "../../store/types.ts";
import { epochSource } from "../../sync/cadence.ts";
import type { Pace } from "./pace.ts";
import { blocksOf, isResampled, type ReadSelection } from "./selection.ts";

/** Computes statistics of the scalar variables of one station, in their order, in one pass over its rows. */
export async function readStatistics(
  cache: CacheReader,
  selection: ReadSelection,
  stationId: string,
  pace: Pace,
): Promise<SeriesStatistics[]> {
  const { variables, range, mode } = selection;
  const station = epochSource(cache, cache.station(stationId));
  const found: SeriesStatistics[] = [];
  // Averages need coverage of all variables that are averaged together, so each variable is read alone.
  const groups: readonly (readonly Variable[])[] = isResampled(mode) ? variables.map((v) => [v]) : [variables];
  for (const group of groups) {
    const collectors = group.map((variable) => ({
      variable,
      collector: collectStatistics(range, stepSeconds(station, variable, mode.intervalSeconds)),
    }));
    for (const rows of blocksOf(cache, selection, stationId, group)) {
      for (const { variable, collector } of collectors) {
        const column = rows.columns[variable];
        if (column?.kind === "scalar") collector.add(rows.timesMs, column);
      }
      await pace.breathe();
    }
    for (const { variable, collector } of collectors)
      found.push({ stationId, variable, statistics: collector.finish() });
  }
  return found;
}
