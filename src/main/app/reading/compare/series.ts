import { MARK_COLUMNS, type MarkSettings, type StationMarks } from "#shared/bridge/methods/compare.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { Column } from "#shared/series/rows.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { countMarks, markValues, placeMarks } from "../../../analysis/compare/marks.ts";
import { meansOf } from "../../../analysis/compare/means.ts";
import type { ComparedSeries } from "../../../analysis/compare/series.ts";
import { stepSeconds } from "../../../analysis/requestedTimes.ts";
import { epochSource } from "../../../sync/cadence.ts";
import type { Pace } from "../../pacing.ts";
import { blocksOf, isResampled, storedMode } from "../selection.ts";
import type { CacheReader } from "../../../store/index.ts";

interface Collected {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  /** NaN for rows without one; null if not requested. */
  readonly sigma: Float64Array | null;
}

/** Concatenates rows that have a value. */
export class RowCollector {
  #capacity;
  #timesMs;
  #values;
  #sigma;
  #n = 0;

  /**
   * Copies blocks as they are read, so that a year of rows is in memory only once.
   *
   * @param rows expected number; more rows reallocate the arrays
   */
  constructor(rows: number, hasSigma: boolean) {
    this.#capacity = rows;
    this.#timesMs = new Float64Array(this.#capacity);
    this.#values = new Float64Array(this.#capacity);
    this.#sigma = hasSigma ? new Float64Array(this.#capacity) : null;
  }

  add(times: Float64Array, ofValues: Column | undefined, ofSigma: Column | undefined): void {
    const rowsHere = times.length;
    this.#ensureCapacity(rowsHere);
    const given = numbersOf(ofValues, rowsHere);
    const deviations = this.#sigma && numbersOf(ofSigma, rowsHere);
    if (isAllFinite(given)) {
      this.#timesMs.set(times, this.#n);
      this.#values.set(given, this.#n);
      if (this.#sigma && deviations) this.#sigma.set(deviations, this.#n);
      this.#n += rowsHere;
      return;
    }
    for (let i = 0; i < rowsHere; i++) {
      // The cache keeps infinities as received, but they cannot be used in computations.
      const value = given[i]!;
      if (!Number.isFinite(value)) continue;
      this.#timesMs[this.#n] = times[i]!;
      this.#values[this.#n] = value;
      if (this.#sigma && deviations) this.#sigma[this.#n] = deviations[i]!;
      this.#n++;
    }
  }

  finish(): Collected {
    return {
      timesMs: this.#timesMs.subarray(0, this.#n),
      values: this.#values.subarray(0, this.#n),
      sigma: this.#sigma?.subarray(0, this.#n) ?? null,
    };
  }

  #ensureCapacity(more: number): void {
    if (this.#n + more <= this.#capacity) return;
    this.#capacity = Math.max(2 * this.#capacity, this.#n + more);
    this.#timesMs = grown(this.#timesMs, this.#capacity);
    this.#values = grown(this.#values, this.#capacity);
    this.#sigma = this.#sigma && grown(this.#sigma, this.#capacity);
  }
}

function grown(array: Float64Array<ArrayBuffer>, capacity: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(capacity);
  larger.set(array);
  return larger;
}

/** Values of a column; NaN for rows without one. */
function numbersOf(column: Column | undefined, n: number): Float64Array {
  if (column?.kind !== "scalar") return new Float64Array(n).fill(Number.NaN);
  const { values, present } = column;
  return present ? values.map((value, i) => (present[i] === 1 ? value : Number.NaN)) : values;
}

function isAllFinite(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

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

interface WantedSeries {
  readonly stationId: string;
  readonly variable: Variable;
  readonly needsSigma?: boolean;
}

/** Reads the values of one station and marks them. */
export async function readMarkedSeries(
  cache: CacheReader,
  query: CompareQuery,
  { stationId, variable, needsSigma = false }: WantedSeries,
  pace: Pace,
): Promise<Result<MarkedSeries, AppFault>> {
  const marksSigma = query.marks.sigmaMm !== null && variable === "ztd";
  const variables: Variable[] = needsSigma || marksSigma ? [variable, "ztd_sigma"] : [variable];
  const kept = new RowCollector(Math.min(MAX_ROWS, maxRows(cache, query, stationId, variables)), variables.length > 1);
  let count = 0;
  for (const { timesMs: times, columns } of blocksOf(cache, { ...query, variables }, stationId)) {
    count += times.length;
    if (count > MAX_ROWS) return usageFailure(TOO_MANY_ROWS);
    kept.add(times, columns[variable], columns["ztd_sigma"]);
    await pace.yieldIfDue();
  }
  const { timesMs, values, sigma } = kept.finish();
  const flags = markValues(timesMs, values, variable === "ztd" ? sigma : null, query.marks);
  await pace.yieldIfDue();
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
    const read = await readMarkedSeries(cache, query, { stationId, variable }, pace);
    if (!read.ok) return read;
    const own = read.value;
    const marks = marksOf(own, query);
    found.push({ marks, isCoarse, series: isCoarse ? meansOf(own, Math.max(coarseMs, own.stepMs)) : own });
    await pace.yieldIfDue();
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
  if (isResampled(mode)) return Math.ceil((range.endMs - range.startMs) / (1_000 * mode.intervalSeconds)) + 2;
  return cache.countRows({ stationId, variables, range, ...storedMode(mode) });
}
