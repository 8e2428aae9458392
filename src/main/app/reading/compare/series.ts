import { MARK_COLUMNS, type MarkSettings, type StationMarks } from "#shared/bridge/methods/compare.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { lowerBound } from "#shared/arrays.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { countMarks, markValues, placeMarks } from "../../../analysis/compare/marks.ts";
import { rowsIn, type ValueRows } from "../../../analysis/compare/series.ts";
import { stepSeconds } from "../../../analysis/requestedTimes.ts";
import { epochSource } from "../../../sync/cadence.ts";
import type { Pace } from "../../pace.ts";
import { RowCollector } from "../rowCollector.ts";
import { blocksOf, isResampled, storedMode } from "../selection.ts";
import type { CacheReader } from "../../../store/index.ts";

export interface CompareQuery {
  readonly stationIds: readonly string[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
  readonly marks: MarkSettings;
  readonly leavesOut: boolean;
}

/** Rows of one station that have a value. */
export interface MarkedRows extends ValueRows {
  readonly stationId: string;
  /** Milliseconds between two values without a gap, as the catalogue and the newest rows of the station show. */
  readonly cadenceMs: number;
  /** Formal uncertainty of each value, NaN if unknown; null where it was not read. */
  readonly sigma: Float64Array | null;
  /** Marks of each value as bits, 0 if it has none; null if nothing is marked. */
  readonly flags: Uint8Array | null;
}

/** Limit for the rows of one station in memory: eleven years at 30 s. */
const MAX_ROWS = 12_000_000;

const TOO_MANY_ROWS =
  "So many rows of one station cannot be compared at once. Choose a shorter time range or a longer interval.";

interface WantedSeries {
  readonly stationId: string;
  readonly variable: Variable;
  readonly needsSigma?: boolean;
  /** How far outside of the range values are wanted. */
  readonly outsideMs?: number;
}

/** A value is marked by its neighbours too: those so far outside of the wanted ones count. */
const MARKS_REACH_MS = DAY_MS / 2;

/** Reads the values of one station and marks them. */
export async function readMarkedSeries(
  cache: CacheReader,
  query: CompareQuery,
  { stationId, variable, needsSigma = false, outsideMs = 0 }: WantedSeries,
  pace: Pace,
): Promise<Result<MarkedRows, AppFault>> {
  const marksSigma = query.marks.sigmaMm !== null && variable === "ztd";
  const variables: Variable[] = needsSigma || marksSigma ? [variable, "ztd_sigma"] : [variable];
  const around = { ...query, range: widened(query.range, Math.max(outsideMs, MARKS_REACH_MS)) };
  const expected = Math.min(MAX_ROWS, maxRows(cache, around, stationId, variables));
  const kept = new RowCollector(variable, expected, variables.length > 1);
  let count = 0;
  for (const rows of blocksOf(cache, { ...around, variables }, stationId)) {
    count += rows.timesMs.length;
    if (count > MAX_ROWS) return usageFailure(TOO_MANY_ROWS);
    kept.add(rows);
    await pace.yieldIfDue();
  }
  const { timesMs, values, sigma } = kept.finish();
  const flags = markValues(timesMs, values, variable === "ztd" ? sigma : null, query.marks);
  await pace.yieldIfDue();
  const wanted = widened(query.range, outsideMs);
  const [from, to] = [lowerBound(timesMs, wanted.startMs), lowerBound(timesMs, wanted.endMs)];
  return success({
    stationId,
    cadenceMs: cadenceMs(cache, query, stationId, variable),
    timesMs: timesMs.subarray(from, to),
    values: values.subarray(from, to),
    sigma: sigma?.subarray(from, to) ?? null,
    flags: flags?.subarray(from, to) ?? null,
  });
}

function widened({ startMs, endMs }: TimeRange, outsideMs: number): TimeRange {
  return { startMs: startMs - outsideMs, endMs: endMs + outsideMs };
}

export function cadenceMs(
  cache: CacheReader,
  { mode }: Pick<CompareQuery, "mode">,
  stationId: string,
  variable: Variable,
): number {
  return 1_000 * stepSeconds(epochSource(cache, cache.station(stationId)), variable, mode.intervalSeconds);
}

/** Counts and times of the marks of a station in the range. */
export function marksOf(rows: MarkedRows, { range }: Pick<CompareQuery, "range">): StationMarks {
  const { stationId, timesMs, flags } = rowsIn(rows, range);
  const places = placeMarks(timesMs, flags, range, MARK_COLUMNS);
  return { stationId, n: timesMs.length, ...countMarks(flags), places };
}

/** Upper bound of the rows to be read: stored rows, or the intervals of averages computed here. */
export function maxRows(
  cache: CacheReader,
  { range, mode }: Pick<CompareQuery, "range" | "mode">,
  stationId: string,
  variables: readonly Variable[],
): number {
  if (isResampled(mode)) return Math.ceil((range.endMs - range.startMs) / (1_000 * mode.intervalSeconds)) + 2;
  return cache.countRows({ stationId, variables, range, ...storedMode(mode) });
}

export interface Unmarked {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly sigma: Float64Array | null;
  /** Values that are left out. */
  readonly rejected: number;
}

/** Returns a series without its marked values, if they are to be left out. */
export function unmarked({ timesMs, values, sigma, flags }: MarkedRows, leavesOut: boolean): Unmarked {
  if (!leavesOut || flags === null) return { timesMs, values, sigma, rejected: 0 };
  const keeps = (_: number, i: number): boolean => flags[i] === 0;
  const kept = values.filter(keeps);
  return {
    timesMs: timesMs.filter(keeps),
    values: kept,
    sigma: sigma?.filter(keeps) ?? null,
    rejected: values.length - kept.length,
  };
}

/**
 * Returns the heights of stations in the wanted reference, or in the other one if more of them have it.
 * References are never mixed, because they differ by tens of metres.
 */
export function heightsOf(
  cache: Pick<CacheReader, "station">,
  stationIds: readonly string[],
  wanted: HeightReference,
): { readonly byId: ReadonlyMap<string, number>; readonly reference: HeightReference } {
  const geoid = new Map<string, number>();
  const ellipsoid = new Map<string, number>();
  for (const id of stationIds) {
    const station = cache.station(id);
    if (typeof station?.orthometricHeight === "number") geoid.set(id, station.orthometricHeight);
    if (typeof station?.ellipsoidalHeight === "number") ellipsoid.set(id, station.ellipsoidalHeight);
  }
  const isGeoid = geoid.size === ellipsoid.size ? wanted === "EGM2008" : geoid.size > ellipsoid.size;
  return isGeoid ? { byId: geoid, reference: "EGM2008" } : { byId: ellipsoid, reference: "WGS84_ELLIPSOID" };
}
