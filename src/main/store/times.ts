import type { SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { isEmpty } from "#shared/time/range.ts";
import { emptyRuns, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "./bucket.ts";
import { decodeTimes } from "./chunk.ts";
import { bucketsOf, kindsOf, readBlock, type SelectedKind } from "./reader.ts";
import { decodeRunsInto, encodeRuns } from "./codec/runs.ts";
import { decodeMissing } from "./codec/scalars.ts";
import { DamagedData } from "./errors.ts";
import { cutRows } from "./rows.ts";
import type { ChunkKey } from "./tables/keys.ts";
import type { Tables } from "./tables/index.ts";

/** Rows of a selection, or only those in which one of its variables has a value. */
export type TimesOf = "rows" | "values";

export interface TimeBucket {
  readonly startMs: UtcMs;
  /** Where the times of the chunk are those wanted, without a look at any value. */
  readonly whole: SelectedKind | null;
}

/** The buckets of a selection, in order of time. Asked once for the whole range: there are hundreds in a year. */
export function timeBuckets(tables: Tables, selection: SeriesSelection, of: TimesOf): TimeBucket[] {
  const kinds = kindsOf(tables, selection);
  const kind = kinds.length === 1 ? kinds[0]! : null;
  const whole = new Set<UtcMs>();
  if (kind) {
    const { startMs, endMs } = selection.range;
    const buckets = { startMs: bucketStart(startMs, kind.kindMs), endMs };
    for (const head of kind.wanted.flatMap((variable) => tables.columns.heads(kind.key, variable, buckets))) {
      if (head.whole === 1 && (of === "rows" || head.valueCount === head.rows)) whole.add(head.bucketMs);
    }
  }
  return bucketsOf(tables, selection).map((startMs) => ({ startMs, whole: whole.has(startMs) ? kind : null }));
}

/** Times in one bucket; none where it is gone since. */
export function readTimes(
  tables: Tables,
  selection: SeriesSelection,
  { startMs, whole }: TimeBucket,
  of: TimesOf,
): Float64Array {
  const rows = whole ? tables.chunks.read(whole.key, startMs, []) : readBlock(tables, selection, startMs);
  if (!rows) return new Float64Array(0);
  if (whole) return cutRows(rows, selection.range).timesMs;
  return of === "rows" ? rows.timesMs : timesWithValue(rows);
}

function timesWithValue({ timesMs, columns }: SeriesRows): Float64Array {
  const found = new Float64Array(timesMs.length);
  const held = Object.values(columns);
  let n = 0;
  for (let row = 0; row < timesMs.length; row++) {
    for (const { values } of held) {
      const value = values[row];
      if (value === null || value !== value) continue;
      found[n++] = timesMs[row]!;
      break;
    }
  }
  return found.slice(0, n);
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
  const found = tables.memories.valueTimes({ ...kind.key, variable }, buckets, (missing) => {
    const all = { ...selection, range: missing };
    const buckets = timeBuckets(tables, all, "values");
    const whole = new Set(buckets.filter((bucket) => bucket.whole).map((bucket) => bucket.startMs));
    // Where they are those of the chunk they are taken as they lie there, in one query instead of hundreds.
    const stored = tables.heads.times(kind.key, missing, (startMs) => whole.has(startMs));
    const byBucket = new Map(stored.map((found) => [found.bucketMs, found.value]));
    return buckets.map((bucket) => ({
      bucketMs: bucket.startMs,
      value: byBucket.get(bucket.startMs) ?? encodeRuns(timesOfValues(tables, kind.key, variable, bucket.startMs)),
    }));
  });
  for (const { value } of found) decodeRunsInto(runs, range, value);
  return runs;
}

/** Which rows have a value lies apart from the values, so that none is decoded. */
function timesOfValues(tables: Tables, key: ChunkKey, variable: Variable, startMs: UtcMs): Float64Array {
  const chunk = tables.chunks.stored(key, startMs, [variable]);
  const column = chunk?.columns.get(variable);
  if (!chunk || !column) return new Float64Array(0);
  const timesMs = decodeTimes(chunk);
  const missing = decodeMissing(column.data);
  if (missing === null) return timesMs;
  if (missing.length !== timesMs.length) throw new DamagedData("values without rows");
  let n = 0;
  for (let row = 0; row < missing.length; row++) if (missing[row] === 0) timesMs[n++] = timesMs[row]!;
  return timesMs.subarray(0, n);
}
