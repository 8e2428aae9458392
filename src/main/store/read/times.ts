import { defined } from "#shared/defined.ts";
import type { SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange, intersectRange } from "#shared/time/range.ts";
import { appendMoments, emptyRuns, type Runs, expandRuns } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { lowerBound } from "#shared/arrays.ts";
import { bucketLength, bucketStart, type ChunkKey } from "../tables/keys.ts";
import { NO_COVERAGE } from "../chunks/coverage.ts";
import type { StoredColumn } from "../chunks/chunk.ts";
import { scratch } from "../codec/bytes.ts";
import { decodeRunsAt, decodeRunsInto, encodeRuns } from "../codec/runs.ts";
import { decodeMissing } from "../codec/scalars.ts";
import { DamagedData } from "../errors.ts";
import { bucketsOf, isWhole, kindsOf, readBlock, readCoverage } from "./reader.ts";
import type { ColumnOfBucket } from "../tables/columns.ts";
import type { BucketRow } from "../tables/bucketRow.ts";
import type { Tables } from "../tables/index.ts";
import type { CountedSeries } from "../types.ts";

const timesMemory = scratch();

/**
 * Reads the times of the rows of a selection in some of its buckets. The stored times are used if every response with a
 * row of the bucket contained one of the variables; otherwise rows are decoded.
 *
 * @param buckets whole ones, see `stretchesOf`
 */
export function readRowTimes(tables: Tables, selection: SeriesSelection, buckets: TimeRange): Runs {
  const runs = emptyRuns();
  const byRows = (startMs: UtcMs): void => {
    const rows = readBlock(tables, selection, startMs);
    if (rows && !appendMoments(runs, rows.timesMs)) throw new DamagedData("times that do not ascend");
  };
  const kinds = kindsOf(selection);
  const [kind] = kinds;
  if (kind && kinds.length === 1) {
    for (const row of tables.buckets.read(kind.key, buckets)) {
      if (row.rows === 0) continue;
      if (kind.variables.some((variable) => isWhole(row, variable))) decodeRunsInto(runs, selection.range, row.times);
      else byRows(row.bucketMs);
    }
  } else {
    for (const startMs of bucketsOf(tables, { ...selection, range: buckets })) byRows(startMs);
  }
  return runs;
}

/**
 * Reads the times of the values of the selection's only, scalar variable.
 *
 * @param isKept whether they are kept in memory as they are stored, for plots that request them with every move
 */
export function readValueTimes(tables: Tables, selection: SeriesSelection, isKept = true): Runs {
  const runs = emptyRuns();
  const [variable] = selection.variables;
  const [kind] = kindsOf(selection);
  if (!variable || !kind || isEmpty(selection.range)) return runs;
  const { range } = selection;
  if (!isKept) {
    for (const { row, times } of valueTimesOf(tables, kind.key, variable, range)) {
      if (times === null) decodeRunsInto(runs, range, row.times);
      else if (!appendMoments(runs, cutTimes(times, range))) throw new DamagedData("times that do not ascend");
    }
    return runs;
  }
  const found = tables.readCache.valueTimes(kind.key, variable, range, (missing) =>
    Array.from(valueTimesOf(tables, kind.key, variable, missing), ({ row, times }) => ({
      bucketMs: row.bucketMs,
      value: times === null ? row.times : encodeRuns(times),
    })),
  );
  for (const { value } of found) decodeRunsInto(runs, range, value);
  return runs;
}

/**
 * Yields the buckets that a range touches and that have a variable, in order of time, with the times of the rows with a value, valid until the
 * next one; null if every row has one.
 */
function* valueTimesOf(
  tables: Tables,
  key: ChunkKey,
  variable: Variable,
  range: TimeRange,
): Generator<{ readonly row: BucketRow; readonly times: Float64Array | null }> {
  const held = tables.buckets.read(key, range).filter((row) => row.has(variable));
  // If every row has a value, no column is read.
  const isComplete = (row: BucketRow): boolean => row.count(variable) === row.rows;
  const columns = tables.columns.read(
    key,
    variable,
    held.filter((row) => !isComplete(row)),
  );
  for (const row of held) {
    const column = isComplete(row) ? null : defined(columns.next().value as ColumnOfBucket | undefined);
    yield { row, times: column && timesOfValues(row, column) };
  }
}

function cutTimes(timesMs: Float64Array, range: TimeRange): Float64Array {
  return timesMs.subarray(lowerBound(timesMs, range.startMs), lowerBound(timesMs, range.endMs));
}

/**
 * Returns the times of the rows with a value, valid until the next call. The marks of missing values are stored
 * separately, so no value is decoded.
 */
function timesOfValues({ rows, times }: BucketRow, { data }: StoredColumn): Float64Array {
  const timesMs = new Float64Array(timesMemory(rows * 8), 0, rows);
  if (decodeRunsAt(times, timesMs, 0) !== rows) throw new DamagedData("a chunk with another number of rows");
  const missing = decodeMissing(data);
  if (missing === null) return timesMs;
  if (missing.length !== timesMs.length) throw new DamagedData("values without rows");
  let n = 0;
  for (let row = 0; row < missing.length; row++) if (missing[row] === 0) timesMs[n++] = timesMs[row]!;
  return timesMs.subarray(0, n);
}

/** Times per block. */
const BLOCK = 4_096;

/**
 * Implements `CacheReader.countBins`. Must run in one transaction, so that counts and coverage are of the same state.
 */
export function countBins(tables: Tables, selection: SeriesSelection, binMs: number): CountedSeries {
  const { range } = selection;
  const [variable] = selection.variables;
  const firstMs = bucketStart(range.startMs, binMs);
  const values = new Uint32Array(Math.ceil((range.endMs - firstMs) / binMs));
  if (variable === undefined) return { coverage: NO_COVERAGE, values };
  countInto(tables, selection, { firstMs, binMs, values });
  return { coverage: readCoverage(tables, selection.stationId, variable, selection), values };
}

/** Implements `CacheReader.countValues`. Must run in one transaction. */
export function countValues(tables: Tables, selection: SeriesSelection): number {
  const values = new Uint32Array(1);
  countInto(tables, selection, { firstMs: -Infinity, binMs: Infinity, values });
  return defined(values[0]);
}

/** Bins of equal duration from a time on; infinite ones are one bin with all values. */
interface Bins {
  readonly firstMs: number;
  readonly binMs: number;
  readonly values: Uint32Array;
}

function countInto(tables: Tables, selection: SeriesSelection, { firstMs, binMs, values }: Bins): void {
  const { range } = selection;
  const [variable] = selection.variables;
  const [kind] = kindsOf(selection);
  if (variable === undefined || !kind || isEmpty(range)) return;
  const binAt = (timeMs: UtcMs): number => (binMs === Infinity ? 0 : Math.floor((timeMs - firstMs) / binMs));
  const addTimes = (part: TimeRange): void => {
    for (const times of expandRuns(readValueTimes(tables, { ...selection, range: part }, true), BLOCK))
      for (const timeMs of times) values[binAt(timeMs)]!++;
  };
  if (binMs !== Infinity && binMs % bucketLength(kind.key) !== 0) return addTimes(range);
  for (const row of tables.buckets.read(kind.key, range)) {
    const part = intersectRange({ startMs: row.bucketMs, endMs: row.endMs }, range);
    // If the range cuts a bucket, its times must be decoded.
    if (part.startMs > row.bucketMs || part.endMs < row.endMs) addTimes(part);
    else values[binAt(row.bucketMs)]! += row.count(variable);
  }
}
