import { type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { EncodedColumn, StoredColumn } from "../chunks/chunk.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type ChunkHead, assertColumnChecksum, type HeadTable } from "./heads.ts";
import { type ChunkKey, checksum, assertChecksum, OF_SERIES, type SeriesKey, valuesOfSeries } from "./keys.ts";
import { IN_VERIFIED_PERIODS, QUARTER_MS, verifiedPeriods } from "./periodTotals.ts";
import type { RegisterTable } from "./register.ts";

interface ColumnHead extends ChunkHead {
  /** Whether every response with a row of the chunk contained the variable. */
  readonly isWhole: boolean;
}

interface SealedColumn extends StoredColumn {
  readonly checksum: number;
}

export interface ColumnOfBucket extends SealedColumn {
  readonly bucketMs: UtcMs;
}

interface BucketCount {
  readonly bucketMs: UtcMs;
  readonly values: number;
}

/** The values of one variable in each chunk. Ranges are of bucket starts. No method opens a transaction. */
export interface ColumnTable {
  /** Returns the heads of the chunks that contain a variable. */
  heads(key: ChunkKey, variable: Variable, buckets: TimeRange): ColumnHead[];
  /** Returns the number of values of a variable in each chunk. */
  valueCounts(key: ChunkKey, variable: Variable, buckets: TimeRange): BucketCount[];
  /** Returns the number of values in all these chunks. */
  values(key: SeriesKey, buckets: TimeRange): number;
  /** Returns whether every response with a row of the chunk contained the variable. Reads no values. */
  isWhole(key: ChunkKey, variable: Variable, bucketMs: UtcMs): boolean;
  find(key: SeriesKey, bucketMs: UtcMs): SealedColumn | null;
  /** Reads the columns of all chunks in order of time, all at once (`all`) or one at a time (`each`). */
  all(key: SeriesKey, buckets: TimeRange): ColumnOfBucket[];
  each(key: SeriesKey, buckets: TimeRange): IterableIterator<ColumnOfBucket>;
  /** @returns its checksum */
  write(key: SeriesKey, bucketMs: UtcMs, column: EncodedColumn): number;
  remove(key: SeriesKey, bucketMs: UtcMs): void;
}

interface ColumnHeadRow {
  readonly bucketMs: UtcMs;
  readonly whole: 0 | 1;
  readonly checksum: number;
}
type BucketRow = ColumnRow & { readonly bucketMs: UtcMs };
type ColumnRow = Omit<StoredColumn, "variable"> & { readonly checksum: number };

/** SQLite returns bucket, in units of `QUARTER_MS`, and count packed into one number: a third of the time of two. */
const COUNT_FACTOR = 2 ** 27;

export function columnTable(db: Db, chunkHeads: HeadTable, register: RegisterTable): ColumnTable {
  const heads = db.prepare<unknown[], ColumnHeadRow>(
    `SELECT bucket_ms AS bucketMs, present IS NULL AS whole, checksum FROM chunk_column
     WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const valueCounts = db
    .prepare<unknown[], number>(
      `SELECT (bucket_ms / ${QUARTER_MS}) * ${COUNT_FACTOR} + n FROM chunk_column INDEXED BY chunk_column_count
       WHERE ${OF_SERIES} AND ${IN_VERIFIED_PERIODS}`,
    )
    .pluck();
  const values = db
    .prepare<unknown[], number>(
      `SELECT coalesce(sum(n), 0) FROM chunk_column INDEXED BY chunk_column_count
       WHERE ${OF_SERIES} AND ${IN_VERIFIED_PERIODS}`,
    )
    .pluck();
  const isWhole = db
    .prepare<unknown[], 0 | 1>(`SELECT present IS NULL FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`)
    .pluck();
  const selectOne = db.prepare<unknown[], ColumnRow>(
    `SELECT n AS count, codec, present, data, checksum FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`,
  );
  const selectRange = db.prepare<unknown[], BucketRow>(
    `SELECT bucket_ms AS bucketMs, n AS count, codec, present, data, checksum FROM chunk_column
     WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const insert = db.prepare<unknown[]>(
    `INSERT INTO chunk_column
       (site, variable, interval_seconds, raw, bucket_ms, n, min, max, mean, codec, present, data, checksum)
     VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)
     ON CONFLICT DO UPDATE SET n = excluded.n, min = excluded.min, max = excluded.max, mean = excluded.mean,
       codec = excluded.codec, present = excluded.present, data = excluded.data, checksum = excluded.checksum`,
  );
  const deleteColumn = db.prepare<unknown[]>(`DELETE FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`);
  return {
    heads(key, variable, { startMs, endMs }) {
      const stored = heads.all(...valuesOfSeries({ ...key, variable }), startMs, endMs);
      const byBucket = new Map(stored.map((row) => [row.bucketMs, row]));
      return chunkHeads.read(key, { startMs, endMs }).flatMap((head) => {
        if (!head.variables.includes(variable)) return [];
        const row = byBucket.get(head.bucketMs);
        if (!row) throw new DamagedData("a chunk that lost a column");
        assertColumnChecksum(head, variable, row.checksum);
        return [{ ...head, isWhole: row.whole === 1 }];
      });
    },
    valueCounts(key, variable, { startMs, endMs }) {
      register.verifyCounts({ ...key, variable }, { startMs, endMs });
      return valueCounts
        .all(...valuesOfSeries({ ...key, variable }), ...verifiedPeriods(key, { startMs, endMs }))
        .map((packed) => {
          const quarter = Math.floor(packed / COUNT_FACTOR);
          return { bucketMs: quarter * QUARTER_MS, values: packed - quarter * COUNT_FACTOR };
        });
    },
    values(key, { startMs, endMs }) {
      register.verifyCounts(key, { startMs, endMs });
      const { interval, variable } = key;
      const periods = verifiedPeriods({ kind: variableKind(variable), interval }, { startMs, endMs });
      return values.get(...valuesOfSeries(key), ...periods) ?? 0;
    },
    isWhole: (key, variable, bucketMs) => isWhole.get(...valuesOfSeries({ ...key, variable }), bucketMs) === 1,
    find(key, bucketMs) {
      const row = selectOne.get(...valuesOfSeries(key), bucketMs);
      if (!row) return null;
      assertChecksum(row.checksum, checksumOf(key, bucketMs, row));
      return { ...row, variable: key.variable };
    },
    all: (key, { startMs, endMs }) =>
      selectRange.all(...valuesOfSeries(key), startMs, endMs).map((row) => assertColumn(key, row)),
    *each(key, { startMs, endMs }) {
      for (const row of selectRange.iterate(...valuesOfSeries(key), startMs, endMs)) yield assertColumn(key, row);
    },
    write(key, bucketMs, column) {
      const { count, min, max, mean, codec, present, data } = column;
      const sum = checksumOf(key, bucketMs, column);
      insert.run(...valuesOfSeries(key), bucketMs, count, min, max, mean, codec, present, data, sum);
      return sum;
    },
    remove: (key, bucketMs) => void deleteColumn.run(...valuesOfSeries(key), bucketMs),
  };
}

function assertColumn(key: SeriesKey, row: BucketRow): ColumnOfBucket {
  assertChecksum(row.checksum, checksumOf(key, row.bucketMs, row));
  return { ...row, variable: key.variable };
}

// Leaves out min, max and mean: they are for people, and SQLite may return a double in another form (-0, NaN).
function checksumOf(key: SeriesKey, bucketMs: UtcMs, column: Omit<StoredColumn, "variable">): number {
  return checksum([...valuesOfSeries(key), bucketMs, column.count, column.codec], column.present, column.data);
}
