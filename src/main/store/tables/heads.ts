import { isVariable, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../bucket.ts";
import type { Db } from "../database.ts";
import { DamagedData } from "../errors.ts";
import { type ChunkKey, checksum, demand, OF_CHUNK, valuesOfChunk } from "./keys.ts";

/** What a chunk holds, without its columns. */
export interface ChunkHead {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly variables: readonly Variable[];
}

export interface TimedHead extends ChunkHead {
  /** As `encodeRuns` wrote them. */
  readonly times: Uint8Array;
}

/** The heads of chunks, with the times of their rows. Ranges are of bucket starts. Nothing here opens a transaction. */
export interface HeadTable {
  read(key: ChunkKey, buckets: TimeRange): ChunkHead[];
  /** How many rows the chunks hold together. */
  rows(key: ChunkKey, buckets: TimeRange): number;
  /** The same with the times of their rows. */
  timed(key: ChunkKey, buckets: TimeRange): TimedHead[];
  find(key: ChunkKey, bucketMs: UtcMs): TimedHead | null;
  write(key: ChunkKey, head: TimedHead): void;
  /** Gives a chunk other variables; its times are not written anew. */
  rename(key: ChunkKey, head: TimedHead, variables: readonly Variable[]): void;
  remove(key: ChunkKey, bucketMs: UtcMs): void;
  /** @throws DamagedData where chunks of the key were lost while the file was closed */
  demandAll(key: ChunkKey): void;
}

/** A head as it lies in the table. */
export interface HeadRow extends Omit<ChunkHead, "variables"> {
  readonly variables: string;
}

interface TimedRow extends HeadRow {
  readonly times: Uint8Array;
  readonly checksum: number;
}

const FIELDS = "bucket_ms AS bucketMs, n AS rows, first_ms AS firstMs, last_ms AS lastMs, variables";

export function headTable(db: Db): HeadTable {
  const heads = db.prepare<unknown[], HeadRow>(
    `SELECT ${FIELDS} FROM chunk WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const rows = db
    .prepare<unknown[], number>(
      `SELECT coalesce(sum(n), 0) FROM chunk WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ?`,
    )
    .pluck();
  const timed = db.prepare<unknown[], TimedRow>(
    `SELECT ${FIELDS}, times, checksum FROM chunk
     WHERE ${OF_CHUNK} AND bucket_ms >= ? AND bucket_ms < ? ORDER BY bucket_ms`,
  );
  const one = db.prepare<unknown[], TimedRow>(
    `SELECT ${FIELDS}, times, checksum FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const insert = db.prepare<unknown[]>(
    // Not OR REPLACE, which the triggers that count would not see.
    `INSERT INTO chunk VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET n = excluded.n,
       first_ms = excluded.first_ms, last_ms = excluded.last_ms, variables = excluded.variables,
       times = excluded.times, checksum = excluded.checksum`,
  );
  const rename = db.prepare<unknown[]>(
    `UPDATE chunk SET variables = ?, checksum = ? WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const drop = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  const counted = db
    .prepare<unknown[], string>(
      `SELECT count(*) || ' ' || coalesce(sum(n), 0) || ' ' || coalesce(sum(bucket_ms), 0) FROM chunk WHERE ${OF_CHUNK}`,
    )
    .pluck();
  const tally = db
    .prepare<unknown[], string>(`SELECT chunks || ' ' || n || ' ' || buckets FROM tally WHERE ${OF_CHUNK}`)
    .pluck();

  // Once for each kind of a station is enough to notice what was damaged while the file was closed.
  const complete = new Set<string>();
  const demandAll = (key: ChunkKey): void => {
    const values = valuesOfChunk(key);
    if (complete.has(values.join())) return;
    const expected = tally.get(...values) ?? "0 0 0";
    if (counted.get(...values) !== expected) throw new DamagedData("chunks that are lost");
    complete.add(values.join());
  };

  return {
    demandAll,
    read(key, { startMs, endMs }) {
      demandAll(key);
      return heads.all(...valuesOfChunk(key), startMs, endMs).map((row) => soundHead(key, row));
    },
    rows(key, { startMs, endMs }) {
      demandAll(key);
      return rows.get(...valuesOfChunk(key), startMs, endMs)!;
    },
    timed(key, { startMs, endMs }) {
      demandAll(key);
      return timed.all(...valuesOfChunk(key), startMs, endMs).map((row) => {
        demand(row.checksum, checksumOf(key, row));
        return { ...row, variables: namesIn(row.variables) };
      });
    },
    find(key, bucketMs) {
      const row = one.get(...valuesOfChunk(key), bucketMs);
      if (!row) return null;
      demand(row.checksum, checksumOf(key, row));
      return { ...row, variables: namesIn(row.variables) };
    },
    write(key, head) {
      const { bucketMs, rows, firstMs, lastMs, times } = head;
      const variables = head.variables.join(" ");
      const sum = checksumOf(key, { ...head, variables });
      insert.run(...valuesOfChunk(key), bucketMs, rows, firstMs, lastMs, variables, times, sum);
    },
    rename(key, head, names) {
      const variables = names.join(" ");
      rename.run(variables, checksumOf(key, { ...head, variables }), ...valuesOfChunk(key), head.bucketMs);
    },
    remove: (key, bucketMs) => void drop.run(...valuesOfChunk(key), bucketMs),
  };
}

/** What a head says must fit its own key: the times themselves are not read for it. @throws DamagedData */
export function soundHead(key: ChunkKey, row: HeadRow): ChunkHead {
  const lengthMs = bucketMs(key.kind, key.interval === 0 ? null : key.interval);
  const { bucketMs: startMs, firstMs, lastMs, rows } = row;
  const fits = startMs === bucketStart(firstMs, lengthMs) && startMs === bucketStart(lastMs, lengthMs);
  if (!fits || firstMs > lastMs || rows < 1) throw new DamagedData("a chunk in the place of another");
  return { ...row, variables: namesIn(row.variables) };
}

/** The last ones: those of the chunks of a station are nearly always the same. */
let lastNames: { readonly text: string; readonly names: readonly Variable[] } = { text: "", names: [] };

function namesIn(variables: string): readonly Variable[] {
  // A damaged record may hold another type than its column has.
  if (typeof variables !== "string") throw new DamagedData("variables that are no text");
  if (variables !== lastNames.text) lastNames = { text: variables, names: variables.split(" ").filter(isVariable) };
  return lastNames.names;
}

function checksumOf(key: ChunkKey, row: Omit<TimedRow, "checksum">): number {
  return checksum([...valuesOfChunk(key), row.bucketMs, row.rows, row.firstMs, row.lastMs, row.variables], row.times);
}
