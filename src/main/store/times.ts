import type { SeriesRows, SeriesSelection } from "#shared/series/rows.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "./bucket.ts";
import { bucketsOf, kindsOf, readBlock, type SelectedKind } from "./reader.ts";
import { cutRows } from "./rows.ts";
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
    for (const head of kind.wanted.flatMap((variable) => tables.chunks.columnHeads(kind.key, variable, buckets))) {
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
