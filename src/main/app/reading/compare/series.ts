import { MARK_COLUMNS, type MarkSettings, type StationMarks } from "#shared/bridge/methods/compare.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { countMarks, markValues, placeMarks } from "../../../analysis/compare/marks.ts";
import { meansOf } from "../../../analysis/compare/means.ts";
import type { ComparedSeries } from "../../../analysis/compare/series.ts";
import { stepSeconds } from "../../../analysis/step.ts";
import type { CacheReader } from "../../../store/types.ts";
import { epochSource } from "../../../sync/cadence.ts";
import type { Pace } from "../pace.ts";
import { blocksOf, isResampled } from "../selection.ts";
import { createRowCollector } from "./rowCollector.ts";

export interface CompareQuery {
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
  readonly marks: MarkSettings;
  readonly leavesOut: boolean;
}

/** A series with its formal uncertainties. */
interface MarkedSeries extends ComparedSeries {
  /** Formal uncertainty of each value; null where it was not read. */
  readonly sigma: Float64Array | null;
}

/** Limit for the rows of one station in memory: eleven years at 30 s. */
const MAX_ROWS = 12_000_000;
/** Limit for the values of all stations together; beyond it, they are averaged. */
const MAX_TOTAL_VALUES = 24_000_000;

const TOO_MANY_ROWS =
  "So many rows of one station cannot be compared at once. Choose a shorter time range or a longer interval.";

/** Reads the values of one station and marks them. */
export async function readMarkedSeries(
  cache: CacheReader,
  query: CompareQuery,
  stationId: string,
  variable: Variable,
  needsSigma: boolean,
  pace: Pace,
): Promise<Result<MarkedSeries, AppFault>> {
  const marksSigma = query.marks.sigmaMm !== null && variable === "ztd";
  const variables: Variable[] = needsSigma || marksSigma ? [variable, "ztd_sigma"] : [variable];
  const kept = createRowCollector(
    Math.min(MAX_ROWS, maxRows(cache, query, stationId, variables)),
    variables.length > 1,
  );
  let count = 0;
  for (const { timesMs: times, columns } of blocksOf(cache, { ...query, variables }, stationId, variables)) {
    count += times.length;
    if (count > MAX_ROWS) return failure(usageFault(TOO_MANY_ROWS));
    kept.add(times, columns[variable], columns["ztd_sigma"]);
    await pace.breathe();
  }
  const { timesMs, values, sigma } = kept.finish();
  const flags = markValues(timesMs, values, variable === "ztd" ? sigma : null, query.marks);
  await pace.breathe();
  const station = epochSource(cache, cache.station(stationId));
  const stepMs = 1000 * stepSeconds(station, variable, query.mode.intervalSeconds);
  return success({ stationId, stepMs, timesMs, values, sigma, flags });
}

export interface Joinable {
  readonly marks: StationMarks;
  readonly series: ComparedSeries;
  readonly isCoarse: boolean;
}

/** Reads the values of several stations to be joined. If they are too many together, each series is averaged at once. */
export async function readJoinable(
  cache: CacheReader,
  query: CompareQuery,
  variable: Variable,
  pace: Pace,
): Promise<Result<Joinable[], AppFault>> {
  const maxPerStation = MAX_TOTAL_VALUES / query.stationIds.length;
  const isCoarse = query.stationIds.some((stationId) => maxRows(cache, query, stationId, [variable]) > maxPerStation);
  const coarseMs = Math.max(
    60_000,
    Math.ceil((query.range.endMs - query.range.startMs) / maxPerStation / 60_000) * 60_000,
  );
  const found: Joinable[] = [];
  for (const stationId of query.stationIds) {
    const read = await readMarkedSeries(cache, query, stationId, variable, false, pace);
    if (!read.ok) return read;
    const own = read.value;
    const marks = marksOf(own, query);
    found.push({ marks, isCoarse, series: isCoarse ? meansOf(own, Math.max(coarseMs, own.stepMs)) : own });
    await pace.breathe();
  }
  return success(found);
}

/** Counts and times of the marks of a station. */
export function marksOf({ stationId, timesMs, flags }: MarkedSeries, { range }: CompareQuery): StationMarks {
  const places = placeMarks(timesMs, flags, range, MARK_COLUMNS);
  return { stationId, n: timesMs.length, ...countMarks(flags), places };
}

/** Upper bound of the rows to be read: stored rows, or the intervals of averages computed here. */
function maxRows(cache: CacheReader, query: CompareQuery, stationId: string, variables: readonly Variable[]): number {
  const { range, mode } = query;
  const { raw, intervalSeconds } = mode;
  if (isResampled(mode)) return Math.ceil((range.endMs - range.startMs) / (1_000 * mode.intervalSeconds)) + 2;
  return cache.countRows({ stationId, variables, range, raw, intervalSeconds });
}
