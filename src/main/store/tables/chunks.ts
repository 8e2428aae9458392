import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { decodeChunk, type EncodedChunk, type EncodedColumn, keyVariables, type StoredColumn } from "../chunk.ts";
import type { Db } from "../database.ts";
import { DamagedData } from "../errors.ts";
import { decodePyramid, type Pyramid } from "../pyramid.ts";
import { type ChunkKey, checksum, demand, type SeriesKey } from "./keys.ts";

export interface ChunkHead {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
}

/** Reads and writes whole chunks. Ranges are of bucket starts. Nothing here opens a transaction. */
export interface ChunkTable {
  heads(key: ChunkKey, buckets: TimeRange): ChunkHead[];
  /** The chunks that hold a variable; `whole` where it was part of every answer that brought a row. */
  columnHeads(key: ChunkKey, variable: Variable, buckets: TimeRange): (ChunkHead & { readonly whole: 0 | 1 })[];
  /** Which variables the chunk holds. */
  variables(key: ChunkKey, bucketMs: UtcMs, candidates: readonly Variable[]): Variable[];
  /** Rows of the chunk with those of the variables that it holds; null where there is none. */
  read(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): SeriesRows | null;
  pyramids(key: SeriesKey, buckets: TimeRange): { readonly bucketMs: UtcMs; readonly pyramid: Pyramid }[];
  /** Puts the chunks in the place of what is stored for their buckets. Returns the bytes of their blobs. */
  write(key: ChunkKey, chunks: readonly EncodedChunk[], variables: readonly Variable[]): number;
  remove(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): void;
}

interface ChunkRow {
  readonly n: number;
  readonly first: number;
  readonly last: number;
  readonly times: Uint8Array;
  readonly checksum: number;
}

interface ColumnRow {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly codec: string;
  readonly present: Uint8Array | null;
  readonly data: Uint8Array;
  readonly checksum: number;
}

interface PyramidRow {
  readonly bucketMs: number;
  readonly data: Uint8Array;
  readonly checksum: number;
}

const OF_CHUNK = "site = ? AND kind = ? AND interval_seconds = ? AND raw = ?";
const OF_SERIES = "site = ? AND variable = ? AND interval_seconds = ? AND raw = ?";

export function chunkTable(db: Db): ChunkTable {
  const heads = db.prepare<unknown[], ChunkHead>(
    `SELECT bucket_ms AS bucketMs, n AS rows, first_ms AS firstMs, last_ms AS lastMs FROM chunk
     WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const columnHeads = db.prepare<unknown[], ChunkHead & { whole: 0 | 1 }>(
    `SELECT bucket_ms AS bucketMs, chunk.n AS rows, first_ms AS firstMs, last_ms AS lastMs, present IS NULL AS whole
     FROM chunk_column AS held JOIN chunk USING (site, interval_seconds, raw, bucket_ms)
     WHERE ${OF_SERIES} AND kind = ? AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const readChunk = db.prepare<unknown[], ChunkRow>(
    `SELECT n, first_ms AS first, last_ms AS last, times, checksum FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const readColumn = db.prepare<unknown[], ColumnRow>(
    `SELECT n AS count, min, max, mean, codec, present, data, checksum FROM chunk_column
     WHERE ${OF_SERIES} AND bucket_ms = ?`,
  );
  const hasColumn = db.prepare<unknown[]>(`SELECT 1 FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`).pluck();
  const readPyramids = db.prepare<unknown[], PyramidRow>(
    `SELECT bucket_ms AS bucketMs, data, checksum FROM pyramid
     WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const writeChunk = db.prepare<unknown[]>("INSERT OR REPLACE INTO chunk VALUES (?,?,?,?,?,?,?,?,?,?)");
  const writeColumn = db.prepare<unknown[]>(
    `INSERT INTO chunk_column
       (site, variable, interval_seconds, raw, bucket_ms, n, min, max, mean, codec, present, data, checksum)
     VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)
     ON CONFLICT DO UPDATE SET n = excluded.n, min = excluded.min, max = excluded.max, mean = excluded.mean,
       codec = excluded.codec, present = excluded.present, data = excluded.data, checksum = excluded.checksum`,
  );
  const writePyramid = db.prepare<unknown[]>("INSERT OR REPLACE INTO pyramid VALUES (?,?,?,?,?,?,?)");
  const dropChunk = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  const dropColumn = db.prepare<unknown[]>(`DELETE FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`);
  const dropPyramid = db.prepare<unknown[]>(`DELETE FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`);

  const column = (key: ChunkKey, variable: Variable, bucketMs: UtcMs): StoredColumn | null => {
    const row = readColumn.get(...seriesOf(key, variable), bucketMs);
    if (!row) return null;
    const stored = { ...row, variable };
    demand(row.checksum, columnChecksum(bucketMs, stored));
    return stored;
  };

  const dropVariables = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): void => {
    for (const variable of variables) {
      dropColumn.run(...seriesOf(key, variable), bucketMs);
      dropPyramid.run(...seriesOf(key, variable), bucketMs);
    }
  };

  return {
    heads: (key, buckets) => heads.all(...chunkOf(key), buckets.startMs, buckets.endMs),
    columnHeads: (key, variable, { startMs, endMs }) =>
      columnHeads.all(...seriesOf(key, variable), key.kind, startMs, endMs),
    variables: (key, bucketMs, candidates) =>
      candidates.filter((variable) => hasColumn.get(...seriesOf(key, variable), bucketMs) !== undefined),
    read(key, bucketMs, variables) {
      const row = readChunk.get(...chunkOf(key), bucketMs);
      if (!row) return null;
      demand(row.checksum, checksum([bucketMs, row.n, row.first, row.last], row.times));
      const stored = new Map<Variable, StoredColumn>();
      for (const variable of new Set([...variables, ...keyVariables(variables)])) {
        const found = column(key, variable, bucketMs);
        if (found) stored.set(variable, found);
      }
      const rows = decodeChunk(row.times, stored, variables);
      if (rows.timesMs.length !== row.n) throw new DamagedData("a chunk with another number of rows");
      return rows;
    },
    pyramids: (key, buckets) =>
      readPyramids.all(key.site, key.variable, key.interval, key.raw, buckets.startMs, buckets.endMs).map((row) => {
        demand(row.checksum, checksum([row.bucketMs], row.data));
        return { bucketMs: row.bucketMs, pyramid: decodePyramid(row.data) };
      }),
    write(key, chunks, variables) {
      let bytes = 0;
      for (const chunk of chunks) {
        const { bucketMs, rows, firstMs, lastMs, times } = chunk;
        const sum = checksum([bucketMs, rows, firstMs, lastMs], times);
        writeChunk.run(...chunkOf(key), bucketMs, rows, firstMs, lastMs, times, sum);
        bytes += times.length;
      }
      // Variable by variable, so that the blobs of one series lie one after the other in the file.
      for (const variable of variables) {
        for (const chunk of chunks) {
          const found = chunk.columns.find((c) => c.variable === variable);
          if (found) bytes += put(key, chunk.bucketMs, found);
          else dropVariables(key, chunk.bucketMs, [variable]);
        }
      }
      return bytes;
    },
    remove(key, bucketMs, variables) {
      dropChunk.run(...chunkOf(key), bucketMs);
      dropVariables(key, bucketMs, variables);
    },
  };

  function put(key: ChunkKey, bucketMs: UtcMs, found: EncodedColumn): number {
    const series = seriesOf(key, found.variable);
    const { count, min, max, mean, codec, present, data, pyramid } = found;
    const sum = columnChecksum(bucketMs, found);
    writeColumn.run(...series, bucketMs, count, min, max, mean, codec, present, data, sum);
    if (pyramid !== null) writePyramid.run(...series, bucketMs, pyramid, checksum([bucketMs], pyramid));
    return data.length + (pyramid?.length ?? 0) + (present?.length ?? 0);
  }
}

// min, max and mean are left out: they are for people, and a double may come back in another form (-0, NaN).
function columnChecksum(bucketMs: UtcMs, column: StoredColumn): number {
  return checksum([bucketMs, column.variable, column.count, column.codec], column.present, column.data);
}

function chunkOf(key: ChunkKey): [number, string, number, number] {
  return [key.site, key.kind, key.interval, key.raw];
}

function seriesOf(key: ChunkKey, variable: Variable): [number, string, number, number] {
  return [key.site, variable, key.interval, key.raw];
}
