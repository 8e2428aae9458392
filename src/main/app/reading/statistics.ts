import type { SeriesStatistics } from "#shared/bridge/methods/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import { intersect, type RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { answeredTime, epochsOf, sendingTime, stepSeconds } from "../../analysis/requestedTimes.ts";
import { collectStatistics } from "../../analysis/statistics.ts";
import { wholeIntervals } from "../../export/source.ts";
import type { CacheReader } from "../../store/types.ts";
import { epochSource } from "../../sync/cadence.ts";
import type { Pace } from "../pacing.ts";
import { blocksOf, isResampled, type ReadSelection } from "./selection.ts";

/** Computes statistics of the scalar variables of one station, in their order, in one pass over its rows. */
export async function readStatistics(
  cache: CacheReader,
  selection: ReadSelection,
  stationId: string,
  nowMs: UtcMs,
  pace: Pace,
): Promise<SeriesStatistics[]> {
  const { variables, range, mode } = selection;
  const station = cache.station(stationId);
  const source = epochSource(cache, station);
  const collectors = variables.map((variable) => ({ variable, collector: collectStatistics(range) }));
  for (const rows of blocksOf(cache, selection, stationId, variables)) {
    for (const { variable, collector } of collectors) {
      const column = rows.columns[variable];
      if (column?.kind === "scalar") collector.add(rows.timesMs, column);
    }
    await pace.breathe();
  }
  return collectors.map(({ variable, collector }) => {
    const step = stepSeconds(source, variable, mode.intervalSeconds);
    const sending = sendingTime(station, range, step, nowMs);
    const answered = intersect(sending, answeredOf(cache, selection, stationId, variable));
    const counts = { expected: epochsOf(sending, step), requested: epochsOf(answered, step) };
    return { stationId, variable, statistics: { ...collector.finish(), ...counts } };
  });
}

/** The answered time of a variable; for averages computed here, that of the observations of whole intervals. */
function answeredOf(
  cache: CacheReader,
  { range, mode }: ReadSelection,
  stationId: string,
  variable: Variable,
): RangeSet {
  if (!isResampled(mode)) return answeredTime(cache.coverage(stationId, variable, mode));
  const station = cache.station(stationId);
  return station ? wholeIntervals(cache, station, variable, range, mode.intervalSeconds, mode.raw) : [];
}
