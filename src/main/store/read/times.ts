import type { SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange, intersectRange } from "#shared/time/range.ts";
import { appendMoments, emptyRuns, type Runs, expandRuns } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { lowerBound } from "#shared/arrays.ts";
import { bucketStart } from "../chunks/bucket.ts";
import type { BucketValue } from "./bucketCache.ts";
import type { StoredColumn } from "../chunks/chunk.ts";
import { scratch } from "../codec/bytes.ts";
import { decodeRunsAt, decodeRunsInto, encodeRuns } from "../codec/runs.ts";
import { decodeMissing } from "../codec/scalars.ts";
import { DamagedData } from "../errors.ts";
import { bucketsOf, kindsOf, readBlock, type SelectedKind, readCoverage } from "./reader.ts";
import type { ColumnOfBucket } from "../tables/columns.ts";
import { assertColumnChecksum, type TimedHead } from "../tables/heads.ts";
import type { ChunkKey } from "../tables/keys.ts";
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
  const kinds = kindsOf(tables, selection);
  const [kind] = kinds;
  if (kind && kinds.length === 1) {
    const heads = tables.heads.read(kind.key, buckets);
    const whole = wholeBuckets(tables, kind, heads, buckets);
    for (const head of heads) {
      if (whole.has(head.bucketMs)) decodeRunsInto(runs, selection.range, head.times);
      else byRows(head.bucketMs);
    }
  } else {
    for (const startMs of bucketsOf(tables, { ...selection, range: buckets })) byRows(startMs);
  }
  return runs;
}

/**
 * Returns the buckets in which a requested variable is present in every row. Counts usually show this without reading
 * chunks.
 */
function wholeBuckets(
  tables: Tables,
  { key, variables }: SelectedKind,
  heads: readonly TimedHead[],
  buckets: TimeRange,
): ReadonlySet<UtcMs> {
  const whole = new Set<UtcMs>();
  const rows = new Map(heads.map((head) => [head.bucketMs, head.rows]));
  for (const variable of variables) {
    if (whole.size === heads.length) return whole;
    for (const { bucketMs, values } of tables.columns.valueCounts(key, variable, buckets))
      if (rows.get(bucketMs) === values) whole.add(bucketMs);
  }
  for (const variable of variables) {
    if (whole.size === heads.length) return whole;
    for (const head of tables.columns.heads(key, variable, buckets)) if (head.isWhole) whole.add(head.bucketMs);
  }
  return whole;
}

/**
 * Reads the times of the values of the selection's only, scalar variable.
 *
 * @param isKept whether they are kept in memory as they are stored, for plots that request them with every move
 */
export function readValueTimes(tables: Tables, selection: SeriesSelection, isKept: boolean): Runs {
  const runs = emptyRuns();
  const [variable] = selection.variables;
  const [kind] = kindsOf(tables, selection);
  if (!variable || !kind || isEmpty(selection.range)) return runs;
  const { range } = selection;
  const buckets = {
    startMs: bucketStart(range.startMs, kind.bucketLengthMs),
    endMs: bucketStart(range.endMs - 1, kind.bucketLengthMs) + kind.bucketLengthMs,
  };
  const series = { ...kind.key, variable };
  if (!isKept) {
    eachBucket(tables, kind.key, variable, buckets, (head, times) => {
      if (times === null) decodeRunsInto(runs, range, head.times);
      else if (!appendMoments(runs, cutTimes(times, range))) throw new DamagedData("times that do not ascend");
    });
    return runs;
  }
  const found = tables.readCache.valueTimes(series, buckets, (missing) => {
    const loaded: BucketValue<Uint8Array>[] = [];
    eachBucket(tables, kind.key, variable, missing, ({ bucketMs, times: ofRows }, times) => {
      loaded.push({ bucketMs, value: times === null ? ofRows : encodeRuns(times) });
    });
    return loaded;
  });
  for (const { value } of found) decodeRunsInto(runs, range, value);
  return runs;
}

/**
 * Visits the buckets that have a variable, in order of time.
 *
 * @param take receives the times of the rows with a value, valid until the next call; null if every row has one
 */
function eachBucket(
  tables: Tables,
  key: ChunkKey,
  variable: Variable,
  buckets: TimeRange,
  take: (head: TimedHead, times: Float64Array | null) => void,
): void {
  const counts = new Map(tables.columns.valueCounts(key, variable, buckets).map((of) => [of.bucketMs, of.values]));
  const heads = tables.heads.read(key, buckets).filter((head) => head.variables.includes(variable));
  // If every row has a value, no column is read.
  const partly = heads.filter((head) => counts.get(head.bucketMs) !== head.rows);
  const [first, last] = [partly.at(0), partly.at(-1)];
  const looked = first && last && { startMs: first.bucketMs, endMs: last.bucketMs + 1 };
  const columns = looked ? tables.columns.each({ ...key, variable }, looked) : null;
  try {
    for (const head of heads) {
      const isWhole = counts.get(head.bucketMs) === head.rows;
      take(head, isWhole || !columns ? null : timesOfValues(head, columnOf(columns, head, variable)));
    }
  } finally {
    columns?.return?.();
  }
}

/** Returns the column of a bucket from columns in order of time, skipping those before it. */
function columnOf(columns: Iterator<ColumnOfBucket>, head: TimedHead, variable: Variable): StoredColumn {
  const { bucketMs } = head;
  let step = columns.next();
  while (!step.done && step.value.bucketMs < bucketMs) step = columns.next();
  if (step.done || step.value.bucketMs !== bucketMs) throw new DamagedData("a chunk that lost a column");
  assertColumnChecksum(head, variable, step.value.checksum);
  return step.value;
}

function cutTimes(timesMs: Float64Array, range: TimeRange): Float64Array {
  return timesMs.subarray(lowerBound(timesMs, range.startMs), lowerBound(timesMs, range.endMs));
}

/**
 * Returns the times of the rows with a value, valid until the next call. The marks of missing values are stored
 * separately, so no value is decoded.
 */
function timesOfValues(head: TimedHead, { data }: StoredColumn): Float64Array {
  const timesMs = new Float64Array(timesMemory(head.rows * 8), 0, head.rows);
  if (decodeRunsAt(head.times, timesMs, 0) !== head.rows) throw new DamagedData("a chunk with another number of rows");
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
  if (variable === undefined) return { coverage: { final: [], provisional: [] }, values };
  const [kind] = kindsOf(tables, selection);
  const addTimes = (part: TimeRange): void => {
    for (const times of expandRuns(readValueTimes(tables, { ...selection, range: part }, true), BLOCK))
      for (const timeMs of times) values[Math.floor((timeMs - firstMs) / binMs)]!++;
  };
  if (kind && binMs % kind.bucketLengthMs === 0)
    addBuckets(tables, kind, variable, range, { firstMs, binMs, values, addTimes });
  else if (kind) addTimes(range);
  return { coverage: readCoverage(tables, selection, variable), values };
}

/** Implements `CacheReader.countValues`. Must run in one transaction. */
export function countValues(tables: Tables, selection: SeriesSelection): number {
  const [variable] = selection.variables;
  const [kind] = kindsOf(tables, selection);
  if (variable === undefined || !kind || isEmpty(selection.range)) return 0;
  const { range } = selection;
  const buckets = { startMs: bucketStart(range.startMs, kind.bucketLengthMs), endMs: range.endMs };
  let sum = 0;
  for (const { bucketMs, values } of tables.columns.valueCounts(kind.key, variable, buckets)) {
    const whole = { startMs: bucketMs, endMs: bucketMs + kind.bucketLengthMs };
    const part = intersectRange(whole, range);
    const isCut = part.startMs > whole.startMs || part.endMs < whole.endMs;
    sum += isCut ? readValueTimes(tables, { ...selection, range: part }, true).total : values;
  }
  return sum;
}

interface Bins {
  readonly firstMs: number;
  readonly binMs: number;
  readonly values: Uint32Array;
  addTimes(part: TimeRange): void;
}

function addBuckets(tables: Tables, kind: SelectedKind, variable: Variable, range: TimeRange, bins: Bins): void {
  const { bucketLengthMs } = kind;
  const buckets = { startMs: bucketStart(range.startMs, bucketLengthMs), endMs: range.endMs };
  for (const { bucketMs, values } of tables.columns.valueCounts(kind.key, variable, buckets)) {
    const endMs = bucketMs + bucketLengthMs;
    // The range cuts this bucket: its times must be decoded.
    if (bucketMs < range.startMs || endMs > range.endMs)
      bins.addTimes({ startMs: Math.max(bucketMs, range.startMs), endMs: Math.min(endMs, range.endMs) });
    else bins.values[Math.floor((bucketMs - bins.firstMs) / bins.binMs)]! += values;
  }
}
