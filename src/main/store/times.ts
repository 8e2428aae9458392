import type { SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { isEmpty, type TimeRange } from "#shared/time/range.ts";
import { appendMoments, emptyRuns, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "./bucket.ts";
import type { OfBucket } from "./bucketMemory.ts";
import type { StoredColumn } from "./chunk.ts";
import { scratch } from "./codec/memory.ts";
import { decodeRunsAt, decodeRunsInto, encodeRuns } from "./codec/runs.ts";
import { decodeMissing } from "./codec/scalars.ts";
import { DamagedData } from "./errors.ts";
import { bucketsOf, kindsOf, readBlock, type SelectedKind } from "./reader.ts";
import type { TimedHead } from "./tables/heads.ts";
import type { ChunkKey } from "./tables/keys.ts";
import type { Tables } from "./tables/index.ts";

const timesMemory = scratch();

/**
 * Times of the rows of a selection in some of its buckets: as they lie there where one of the variables was part of every
 * answer that brought a row of a bucket, and only else by a look at the rows.
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
    const heads = tables.heads.timed(kind.key, buckets);
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

/** The buckets of which a wanted variable has every row. Which those are, the counts mostly tell without the chunks. */
function wholeBuckets(
  tables: Tables,
  { key, wanted }: SelectedKind,
  heads: readonly TimedHead[],
  buckets: TimeRange,
): ReadonlySet<UtcMs> {
  const whole = new Set<UtcMs>();
  const rows = new Map(heads.map((head) => [head.bucketMs, head.rows]));
  for (const variable of wanted) {
    if (whole.size === heads.length) return whole;
    for (const { bucketMs, values } of tables.columns.valueCounts(key, variable, buckets))
      if (rows.get(bucketMs) === values) whole.add(bucketMs);
  }
  for (const variable of wanted) {
    if (whole.size === heads.length) return whole;
    for (const head of tables.columns.heads(key, variable, buckets)) if (head.whole === 1) whole.add(head.bucketMs);
  }
  return whole;
}

/**
 * Times of the rows in which the one scalar variable of the selection has a value: kept in memory as they are stored,
 * because what is missing is asked again with every move of a plot.
 */
export function readValueTimes(tables: Tables, selection: SeriesSelection): Runs {
  const runs = emptyRuns();
  const [variable] = selection.variables;
  const [kind] = kindsOf(tables, selection);
  if (!variable || !kind || isEmpty(selection.range)) return runs;
  const { range } = selection;
  const buckets = {
    startMs: bucketStart(range.startMs, kind.kindMs),
    endMs: bucketStart(range.endMs - 1, kind.kindMs) + kind.kindMs,
  };
  const found = tables.memories.valueTimes({ ...kind.key, variable }, buckets, (missing) =>
    storedValueTimes(tables, kind.key, variable, missing),
  );
  for (const { value } of found) decodeRunsInto(runs, range, value);
  return runs;
}

/** As `encodeRuns` writes them, for every bucket that holds the variable. */
function storedValueTimes(
  tables: Tables,
  key: ChunkKey,
  variable: Variable,
  buckets: TimeRange,
): OfBucket<Uint8Array>[] {
  const counts = new Map(tables.columns.valueCounts(key, variable, buckets).map((of) => [of.bucketMs, of.values]));
  const heads = tables.heads.timed(key, buckets).filter((head) => head.variables.includes(variable));
  // Where every row has a value they are those of the chunk, and no value is looked at.
  const partly = heads.filter((head) => counts.get(head.bucketMs) !== head.rows);
  const ofSome = timesOfSome(tables, key, variable, partly);
  return heads.map(({ bucketMs, times }) => ({ bucketMs, value: ofSome.get(bucketMs) ?? times }));
}

function timesOfSome(
  tables: Tables,
  key: ChunkKey,
  variable: Variable,
  heads: readonly TimedHead[],
): ReadonlyMap<UtcMs, Uint8Array> {
  const found = new Map<UtcMs, Uint8Array>();
  const [first] = heads;
  if (!first) return found;
  const byBucket = new Map(heads.map((head) => [head.bucketMs, head]));
  const buckets = { startMs: first.bucketMs, endMs: heads.at(-1)!.bucketMs + 1 };
  for (const column of tables.columns.each({ ...key, variable }, buckets)) {
    const head = byBucket.get(column.bucketMs);
    if (head) found.set(head.bucketMs, encodeRuns(timesOfValues(head, column)));
  }
  if (found.size < heads.length) throw new DamagedData("a chunk that lost a column");
  return found;
}

/** Which rows have a value lies apart from the values, so that none is decoded. Good until the next call. */
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
