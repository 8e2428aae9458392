import type { SeriesStatistics } from "#shared/bridge/methods/series.ts";
import { defined } from "#shared/defined.ts";
import type { Convergence } from "#shared/series/gap.ts";
import type { SeriesMode, SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { CONVERGENCE_MS, possibleConvergence } from "../../analysis/convergence.ts";
import { answeredTime, epochsOf, sendingTime, stepSeconds } from "../../analysis/requestedTimes.ts";
import { StatisticsCollector } from "../../analysis/statistics.ts";
import { wholeIntervals } from "../../export/source.ts";
import { epochSource } from "../../sync/cadence.ts";
import type { Pace } from "../pace.ts";
import { blocksOf, isResampled, type ReadSelection } from "./selection.ts";
import type { CacheReader } from "../../store/index.ts";

interface StatisticsQuery extends ReadSelection {
  readonly stationId: string;
  /** The service's current time: later data is not expected. */
  readonly nowMs: UtcMs;
}

/** Computes statistics of the scalar variables of one station, in their order, in one pass over its rows. */
export async function readStatistics(
  cache: CacheReader,
  selection: StatisticsQuery,
  pace: Pace,
): Promise<SeriesStatistics[]> {
  const { stationId, variables, range, mode, nowMs } = selection;
  const station = cache.station(stationId);
  const source = epochSource(cache, station);
  const collectors = variables.map((variable) => ({ variable, collector: new StatisticsCollector(range) }));
  for (const rows of blocksOf(cache, selection, stationId)) {
    for (const { variable, collector } of collectors) {
      const column = rows.columns[variable];
      if (column?.kind === "scalar") collector.add(rows.timesMs, column);
    }
    await pace.yieldIfDue();
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
  return station ? wholeIntervals(cache, station, variable, { ...mode, range }) : [];
}

/**
 * Finds signs that the solution of a station converged again within or after a gap; null if there are none. The filter
 * removes unconverged rows, so raw rows are used if they are cached, else the rows after the gap.
 */
export function readConvergence(
  cache: CacheReader,
  stationId: string,
  gap: TimeRange,
  { intervalSeconds }: Pick<SeriesMode, "intervalSeconds">,
): Convergence | null {
  const range = { startMs: gap.startMs, endMs: gap.endMs + CONVERGENCE_MS };
  const selection = { stationId, variables: ["ztd_sigma" as const], range, intervalSeconds };
  const raw = sigmaOf(cache.rows({ ...selection, raw: true }));
  const filtered = sigmaOf(cache.rows({ ...selection, raw: false }));
  const all = joinedSigma(raw, filtered);
  const firstMs = all.timesMs[0];
  if (firstMs === undefined) return null;
  // Within the gap if there are raw rows, else at its end.
  return possibleConvergence(all.timesMs, all.sigmaMm, firstMs);
}

interface Sigma {
  readonly timesMs: Float64Array;
  readonly sigmaMm: Float64Array;
}

function sigmaOf({ timesMs, columns }: SeriesRows): Sigma {
  const column = columns.ztd_sigma;
  if (column?.kind !== "scalar") return { timesMs: new Float64Array(0), sigmaMm: new Float64Array(0) };
  const has = (_: number, i: number): boolean => !Number.isNaN(column.values[i]);
  return { timesMs: timesMs.filter(has), sigmaMm: column.values.filter(has) };
}

/** Rows of both; of the first if both have one. */
function joinedSigma(first: Sigma, second: Sigma): Sigma {
  if (first.timesMs.length === 0) return second;
  const known = new Map<number, number>();
  for (const { timesMs, sigmaMm } of [second, first])
    for (const [i, value] of sigmaMm.entries()) known.set(timesMs[i] ?? Number.NaN, value);
  const timesMs = Float64Array.from(known.keys()).toSorted();
  return { timesMs, sigmaMm: timesMs.map((t) => defined(known.get(t))) };
}
