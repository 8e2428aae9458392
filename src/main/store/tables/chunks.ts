import type { SeriesRows } from "#shared/series/rows.ts";
import { isVariable, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../bucket.ts";
import {
  decodeChunk,
  type EncodedChunk,
  type EncodedColumn,
  keyVariables,
  type StoredChunk,
  type StoredColumn,
} from "../chunk.ts";
import type { Db } from "../database.ts";
import { DamagedData } from "../errors.ts";
import type { OfBucket } from "../bucketMemory.ts";
import { decodePyramid, type Pyramid } from "../pyramid.ts";
import type { Memories } from "./memories.ts";
import { type ChunkKey, checksum, demand, type SeriesKey } from "./keys.ts";

export interface ChunkHead {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  /** Which variables the chunk holds. */
  readonly variables: readonly Variable[];
}

export interface ColumnHead extends ChunkHead {
  /** 1 where the variable was part of every answer that brought a row of the chunk. */
  readonly whole: 0 | 1;
  /** Rows of the chunk in which it has a value. */
  readonly valueCount: number;
}

export interface BucketCount {
  readonly bucketMs: UtcMs;
  readonly values: number;
}

/** Reads and writes whole chunks. Ranges are of bucket starts. Nothing here opens a transaction. */
export interface ChunkTable {
  /** The times of the chunks that are wanted, as `encodeRuns` wrote them. */
  times(key: ChunkKey, buckets: TimeRange, isWanted: (bucketMs: UtcMs) => boolean): readonly OfBucket<Uint8Array>[];
  heads(key: ChunkKey, buckets: TimeRange): ChunkHead[];
  /** The chunks that hold a variable. */
  columnHeads(key: ChunkKey, variable: Variable, buckets: TimeRange): ColumnHead[];
  /** How many rows of each chunk of a variable have a value. */
  valueCounts(key: ChunkKey, variable: Variable, buckets: TimeRange): BucketCount[];
  /** Rows of the chunk with those of the variables that it holds; null where there is none. */
  read(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): SeriesRows | null;
  /** The same before it is decoded, with the columns by which others are. */
  stored(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null;
  /** Decoded ones are kept until their series is written to, here or by another process: they must not be changed. */
  pyramids(key: SeriesKey, buckets: TimeRange): readonly OfBucket<Pyramid>[];
  /** Puts the chunks in the place of what is stored for their buckets. Returns the bytes of their blobs. */
  write(key: ChunkKey, chunks: readonly EncodedChunk[], variables: readonly Variable[]): number;
  remove(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): void;
  /** Whether any of the variables was part of every answer that brought a row of the chunk. Reads no values. */
  hasWhole(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): boolean;
  /** Removes some variables of a chunk whose rows all stay: nothing of the others is read. `left` are those that stay. */
  strip(key: ChunkKey, bucketMs: UtcMs, gone: readonly Variable[], left: readonly Variable[]): void;
}

type HeadRow = Omit<ChunkHead, "variables"> & { readonly variables: string };

interface ChunkRow {
  readonly n: number;
  readonly first: number;
  readonly last: number;
  readonly variables: string;
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

/** Bucket and count travel as one number, which takes a third of the time of two; every bucket is whole quarters of a day. */
const QUARTER_MS = 21_600_000;
const COUNT_ROOM = 2 ** 27;

const OF_CHUNK = "site = ? AND kind = ? AND interval_seconds = ? AND raw = ?";
const OF_SERIES = "site = ? AND variable = ? AND interval_seconds = ? AND raw = ?";

export function chunkTable(db: Db, memories: Memories): ChunkTable {
  const heads = db.prepare<unknown[], HeadRow>(
    `SELECT bucket_ms AS bucketMs, n AS rows, first_ms AS firstMs, last_ms AS lastMs, variables FROM chunk
     WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const columnHeads = db.prepare<unknown[], HeadRow & Pick<ColumnHead, "whole" | "valueCount">>(
    `SELECT bucket_ms AS bucketMs, chunk.n AS rows, first_ms AS firstMs, last_ms AS lastMs, variables,
       present IS NULL AS whole, held.n AS valueCount
     FROM chunk_column AS held JOIN chunk USING (site, interval_seconds, raw, bucket_ms)
     WHERE ${OF_SERIES} AND kind = ? AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const valueCounts = db
    .prepare<unknown[], number>(
      `SELECT (bucket_ms / ${QUARTER_MS}) * ${COUNT_ROOM} + n FROM chunk_column INDEXED BY chunk_column_count
       WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ?`,
    )
    .pluck();
  const counted = db
    .prepare<unknown[], string>(
      `SELECT count(*) || ' ' || coalesce(sum(n), 0) || ' ' || coalesce(sum(bucket_ms), 0) FROM chunk WHERE ${OF_CHUNK}`,
    )
    .pluck();
  const tally = db
    .prepare<unknown[], string>(`SELECT chunks || ' ' || n || ' ' || buckets FROM tally WHERE ${OF_CHUNK}`)
    .pluck();
  const readChunk = db.prepare<unknown[], ChunkRow>(
    `SELECT n, first_ms AS first, last_ms AS last, variables, times, checksum FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const readTimes = db.prepare<unknown[], ChunkRow & { readonly bucketMs: UtcMs }>(
    `SELECT bucket_ms AS bucketMs, n, first_ms AS first, last_ms AS last, variables, times, checksum FROM chunk
     WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const readColumn = db.prepare<unknown[], ColumnRow>(
    `SELECT n AS count, min, max, mean, codec, present, data, checksum FROM chunk_column
     WHERE ${OF_SERIES} AND bucket_ms = ?`,
  );
  const readPyramids = db.prepare<unknown[], PyramidRow>(
    `SELECT bucket_ms AS bucketMs, data, checksum FROM pyramid
     WHERE ${OF_SERIES} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const writeChunk = db.prepare<unknown[]>(
    // Not OR REPLACE, which the triggers that count would not see.
    `INSERT INTO chunk VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET n = excluded.n,
       first_ms = excluded.first_ms, last_ms = excluded.last_ms, variables = excluded.variables,
       times = excluded.times, checksum = excluded.checksum`,
  );
  const writeColumn = db.prepare<unknown[]>(
    `INSERT INTO chunk_column
       (site, variable, interval_seconds, raw, bucket_ms, n, min, max, mean, codec, present, data, checksum)
     VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)
     ON CONFLICT DO UPDATE SET n = excluded.n, min = excluded.min, max = excluded.max, mean = excluded.mean,
       codec = excluded.codec, present = excluded.present, data = excluded.data, checksum = excluded.checksum`,
  );
  const isWhole = db
    .prepare<unknown[], 0 | 1>(`SELECT present IS NULL FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`)
    .pluck();
  const renameChunk = db.prepare<unknown[]>(
    `UPDATE chunk SET variables = ?, checksum = ? WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const writePyramid = db.prepare<unknown[]>("INSERT OR REPLACE INTO pyramid VALUES (?,?,?,?,?,?,?)");
  const dropChunk = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  const dropColumn = db.prepare<unknown[]>(`DELETE FROM chunk_column WHERE ${OF_SERIES} AND bucket_ms = ?`);
  const dropPyramid = db.prepare<unknown[]>(`DELETE FROM pyramid WHERE ${OF_SERIES} AND bucket_ms = ?`);

  const column = (key: ChunkKey, variable: Variable, bucketMs: UtcMs): StoredColumn | null => {
    const row = readColumn.get(...seriesOf(key, variable), bucketMs);
    if (!row) return null;
    const stored = { ...row, variable };
    demand(row.checksum, columnChecksum(key, bucketMs, stored));
    return stored;
  };

  const readSound = (key: ChunkKey, bucketMs: UtcMs): ChunkRow | undefined => {
    const row = readChunk.get(...chunkOf(key), bucketMs);
    if (row) demand(row.checksum, chunkChecksum(key, bucketMs, row));
    return row;
  };

  const dropVariables = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): void => {
    for (const variable of variables) {
      dropColumn.run(...seriesOf(key, variable), bucketMs);
      dropPyramid.run(...seriesOf(key, variable), bucketMs);
    }
  };

  // Once for each kind of a station is enough to notice what was damaged while the file was closed.
  const complete = new Set<string>();
  const demandAll = (key: ChunkKey): void => {
    const name = chunkOf(key).join();
    if (complete.has(name)) return;
    const expected = tally.get(...chunkOf(key)) ?? "0 0 0";
    if (counted.get(...chunkOf(key)) !== expected) throw new DamagedData("chunks that are lost");
    complete.add(name);
  };

  const stored = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null => {
    const row = readChunk.get(...chunkOf(key), bucketMs);
    if (!row) return null;
    demand(row.checksum, checksum([...chunkOf(key), bucketMs, row.n, row.first, row.last, row.variables], row.times));
    const columns = new Map<Variable, StoredColumn>();
    const held = namesOf(row.variables);
    for (const variable of new Set([...variables, ...keyVariables(variables)])) {
      if (!held.includes(variable)) continue;
      const found = column(key, variable, bucketMs);
      if (!found) throw new DamagedData("a chunk that lost a column");
      columns.set(variable, found);
    }
    return { rows: row.n, times: row.times, columns };
  };

  return {
    heads: (key, buckets) => {
      demandAll(key);
      return heads.all(...chunkOf(key), buckets.startMs, buckets.endMs).map((row) => checkedHead(key, row));
    },
    columnHeads: (key, variable, { startMs, endMs }) =>
      columnHeads
        .all(...seriesOf(key, variable), key.kind, startMs, endMs)
        .map((row) => ({ ...checkedHead(key, row), whole: row.whole, valueCount: row.valueCount })),
    valueCounts: (key, variable, { startMs, endMs }) => {
      demandAll(key);
      return valueCounts.all(...seriesOf(key, variable), startMs, endMs).map((packed) => {
        const quarter = Math.floor(packed / COUNT_ROOM);
        return { bucketMs: quarter * QUARTER_MS, values: packed - quarter * COUNT_ROOM };
      });
    },
    stored,
    read(key, bucketMs, variables) {
      const chunk = stored(key, bucketMs, variables);
      return chunk && decodeChunk(chunk, variables);
    },
    times(key, { startMs, endMs }, isWanted) {
      const wanted = readTimes.all(...chunkOf(key), startMs, endMs).filter((row) => isWanted(row.bucketMs));
      for (const row of wanted) demand(row.checksum, chunkChecksum(key, row.bucketMs, row));
      return wanted.map(({ bucketMs: startsMs, times }) => ({ bucketMs: startsMs, value: times }));
    },
    pyramids: (key, buckets) =>
      memories.pyramids(key, buckets, ({ startMs, endMs }) => {
        const series = seriesOf(key, key.variable);
        return readPyramids.all(...series, startMs, endMs).map((row) => {
          demand(row.checksum, checksum([...series, row.bucketMs], row.data));
          return { bucketMs: row.bucketMs, value: decodePyramid(row.data) };
        });
      }),
    write(key, chunks, variables) {
      let bytes = 0;
      memories.forget(key, variables);
      for (const chunk of chunks) {
        const { bucketMs, rows, firstMs, lastMs, times } = chunk;
        const names = chunk.columns.map((c) => c.variable).join(" ");
        const sum = chunkChecksum(key, bucketMs, { n: rows, first: firstMs, last: lastMs, variables: names, times });
        writeChunk.run(...chunkOf(key), bucketMs, rows, firstMs, lastMs, names, times, sum);
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
      memories.forget(key, variables);
      dropChunk.run(...chunkOf(key), bucketMs);
      dropVariables(key, bucketMs, variables);
    },
    hasWhole: (key, bucketMs, variables) => variables.some((v) => isWhole.get(...seriesOf(key, v), bucketMs) === 1),
    strip(key, bucketMs, gone, left) {
      memories.forget(key, gone);
      const row = readSound(key, bucketMs);
      if (!row) throw new DamagedData("a chunk that is lost");
      const names = left.join(" ");
      renameChunk.run(names, chunkChecksum(key, bucketMs, { ...row, variables: names }), ...chunkOf(key), bucketMs);
      dropVariables(key, bucketMs, gone);
    },
  };

  function put(key: ChunkKey, bucketMs: UtcMs, found: EncodedColumn): number {
    const series = seriesOf(key, found.variable);
    const { count, min, max, mean, codec, present, data, pyramid } = found;
    const sum = columnChecksum(key, bucketMs, found);
    writeColumn.run(...series, bucketMs, count, min, max, mean, codec, present, data, sum);
    if (pyramid !== null) writePyramid.run(...series, bucketMs, pyramid, checksum([...series, bucketMs], pyramid));
    return data.length + (pyramid?.length ?? 0) + (present?.length ?? 0);
  }
}

/** What a head says must fit its own key: the times themselves are not read for it. */
function checkedHead(key: ChunkKey, row: HeadRow): ChunkHead {
  const lengthMs = bucketMs(key.kind, key.interval === 0 ? null : key.interval);
  const { bucketMs: startMs, firstMs, lastMs, rows } = row;
  const fits = startMs === bucketStart(firstMs, lengthMs) && startMs === bucketStart(lastMs, lengthMs);
  if (!fits || firstMs > lastMs || rows < 1) throw new DamagedData("a chunk in the place of another");
  return { ...row, variables: namesOf(row.variables) };
}

function namesOf(variables: string): Variable[] {
  // A damaged record may hold another type than its column has.
  if (typeof variables !== "string") throw new DamagedData("variables that are no text");
  return variables.split(" ").filter(isVariable);
}

function chunkChecksum(key: ChunkKey, bucketMs: UtcMs, row: Omit<ChunkRow, "checksum">): number {
  return checksum([...chunkOf(key), bucketMs, row.n, row.first, row.last, row.variables], row.times);
}

// min, max and mean are left out: they are for people, and a double may come back in another form (-0, NaN).
function columnChecksum(key: ChunkKey, bucketMs: UtcMs, column: StoredColumn): number {
  return checksum(
    [...seriesOf(key, column.variable), bucketMs, column.count, column.codec],
    column.present,
    column.data,
  );
}

function chunkOf(key: ChunkKey): [number, string, number, number] {
  return [key.site, key.kind, key.interval, key.raw];
}

function seriesOf(key: Omit<ChunkKey, "kind">, variable: Variable): [number, string, number, number] {
  return [key.site, variable, key.interval, key.raw];
}
