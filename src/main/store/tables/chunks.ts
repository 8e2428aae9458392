import { defined } from "#shared/defined.ts";
import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { intersect, type RangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { ALL_TIME, type ChunkKey, keyText, variablesOfKind } from "./keys.ts";
import {
  decodeChunk,
  encodeChunk,
  type EncodedChunk,
  keyVariables,
  type StoredChunk,
  type StoredColumn,
} from "../chunks/chunk.ts";
import type { Extent } from "../chunks/coverage.ts";
import { concatRows, cutRows, dropAbsent, NO_ROWS } from "../chunks/rows.ts";
import type { BucketContent, BucketRow, ColumnEntry } from "./bucketRow.ts";
import type { BucketTable } from "./buckets.ts";
import type { columnTable } from "./columns.ts";
import type { pyramidTable } from "./pyramids.ts";
import type { ReadCache } from "./readCache.ts";

export interface BucketChange {
  readonly bucketMs: UtcMs;
  /** The rows that replace the stored ones; null: the stored rows stay, with the columns of `kept`. */
  readonly chunk: EncodedChunk | null;
  /** Without a chunk: the variables whose stored columns stay; null: all. If it is empty, no row stays. */
  readonly kept: readonly Variable[] | null;
  /** The coverage of variables that changes, cut to the bucket. */
  readonly extents: ReadonlyMap<Variable, readonly Extent[]>;
}

/** Changing so many rows in memory, one by one, would take longer than reading them again. */
const MANY = 64;

interface ChunkParts {
  readonly buckets: BucketTable;
  readonly columns: ReturnType<typeof columnTable>;
  readonly pyramids: ReturnType<typeof pyramidTable>;
  readonly readCache: ReadCache;
}

/** Whole buckets: the row, a column for each variable, and its pyramid. No method opens a transaction. */
export function chunkTable({ buckets, columns, pyramids, readCache }: ChunkParts) {
  const columnsOf = (key: ChunkKey, row: BucketRow, variables: readonly Variable[]): StoredChunk => {
    const found = new Map<Variable, StoredColumn>();
    for (const variable of new Set([...variables, ...keyVariables(variables)])) {
      const column = columns.find(key, variable, row);
      if (column) found.set(variable, column);
    }
    return { rows: row.rows, times: row.times, columns: found };
  };
  const stored = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null => {
    const row = buckets.find(key, bucketMs);
    return row && row.rows > 0 ? columnsOf(key, row, variables) : null;
  };
  /** Returns the stored columns that stay, for a change without a chunk; removes the others. */
  const entriesOf = (key: ChunkKey, { kept }: BucketChange, old: BucketRow | null): Map<Variable, ColumnEntry> => {
    const entries = new Map<Variable, ColumnEntry>();
    for (const variable of old?.variables ?? []) {
      const entry = defined(old?.column(variable));
      if (kept === null || kept.includes(variable)) entries.set(variable, entry);
      else removeColumn(key, variable, entry);
    }
    return entries;
  };
  const removeColumn = (key: ChunkKey, variable: Variable, { id }: ColumnEntry): void => {
    readCache.forget(key, variable);
    columns.remove(id);
    pyramids.remove(id);
  };

  return {
    /** Returns the requested columns of a row, and the columns needed to decode them, all verified. @throws DamagedData */
    columnsOf,
    /** Like `read`, without decoding; includes the columns that decoding needs. */
    stored,
    /**
     * Returns a verified bucket, cut to some ranges, with new pyramids, as a change that creates it in another file.
     *
     * @throws DamagedData
     */
    copyOf: (key: ChunkKey, row: BucketRow, within: RangeSet = [ALL_TIME]): BucketChange =>
      cutBucket(row, row.rows > 0 ? decodeChunk(columnsOf(key, row, row.variables)) : NO_ROWS, within),
    /** Changes buckets, in order of time. Returns the bytes of the blobs written. */
    write(key: ChunkKey, changes: readonly BucketChange[]): number {
      const [first, last] = [changes.at(0), changes.at(-1)];
      if (!first || !last) return 0;
      const rows = buckets.read(key, { startMs: first.bucketMs, endMs: last.bucketMs + 1 });
      const oldOf = new Map(rows.map((row) => [row.bucketMs, row]));
      const written = changes.map((change) => {
        const old = oldOf.get(change.bucketMs) ?? null;
        return { change, old, entries: change.chunk ? new Map<Variable, ColumnEntry>() : entriesOf(key, change, old) };
      });
      let bytes = 0;
      // Variable by variable, so that the blobs of a series are adjacent in the file.
      for (const variable of variablesOfKind(key.kind)) {
        for (const { change, old, entries } of written) {
          const { bucketMs, chunk } = change;
          if (!chunk) continue;
          const before = old?.column(variable) ?? null;
          const column = chunk.columns.get(variable);
          if (!column && before) removeColumn(key, variable, before);
          if (!column) continue;
          readCache.forget(key, variable);
          const entry = columns.write(key, bucketMs, column, before?.id ?? null);
          if (column.pyramid) pyramids.write(entry.id, column.pyramid);
          const pyramid = column.pyramid ? pyramids.checksumOf(key, bucketMs, variable, column.pyramid) : 0;
          entries.set(variable, { ...entry, pyramid });
          bytes += entry.bytes + (column.pyramid?.length ?? 0);
        }
      }
      if (changes.length > MANY) readCache.forgetRows(keyText(key));
      for (const { change, old, entries } of written) {
        buckets.write(key, bucketContent(change, old, entries), old);
        bytes += change.chunk?.times.length ?? 0;
      }
      return bytes;
    },
  };
}

/** @param all the rows of the bucket */
function cutBucket(row: BucketRow, all: SeriesRows, within: RangeSet): BucketChange {
  const { bucketMs, variables, known } = row;
  const own = intersect(within, [{ startMs: bucketMs, endMs: row.endMs }]);
  const [first] = own;
  const parts = (): SeriesRows[] => own.map((range) => cutRows(all, range));
  const rows = dropAbsent(first && own.length === 1 ? cutRows(all, first) : concatRows(parts(), variables));
  const extents = new Map(
    known.map((v) => [v, row.extents(v).flatMap((e) => intersect([e], own).map((part) => ({ ...e, ...part })))]),
  );
  return { bucketMs, chunk: rows.timesMs.length > 0 ? encodeChunk(rows) : null, kept: null, extents };
}

/** @param columns the columns of the bucket after the change */
function bucketContent(
  { bucketMs, chunk, extents }: BucketChange,
  old: BucketRow | null,
  columns: ReadonlyMap<Variable, ColumnEntry>,
): BucketContent {
  const source = chunk ?? (columns.size > 0 ? old : null);
  const known = new Map((old?.known ?? []).map((v) => [v, defined(old).extents(v)]));
  return {
    bucketMs,
    rows: source?.rows ?? 0,
    firstMs: source?.firstMs ?? bucketMs,
    lastMs: source?.lastMs ?? bucketMs,
    times: source?.times ?? new Uint8Array(0),
    columns,
    extents: new Map([...known, ...extents]),
  };
}
