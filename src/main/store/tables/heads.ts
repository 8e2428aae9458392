import { isVariable, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { type ChunkKey, checksum, demand, OF_CHUNK, valuesOfChunk } from "./keys.ts";
import { AMONG_VERIFIED, amongVerified, PART, PARTS, type RegisterTable } from "./register.ts";
import type { SiteTable } from "./sites.ts";
import type { Verified } from "./verified.ts";

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
  /** `PARTS` numbers for each variable; null in chunks of the form before. */
  readonly parts: Uint32Array | null;
}

export interface SealedHead extends TimedHead {
  readonly checksum: number;
}

/** The heads of chunks, with the times of their rows. Ranges are of bucket starts. Nothing here opens a transaction. */
export interface HeadTable {
  read(key: ChunkKey, buckets: TimeRange): TimedHead[];
  /** How many rows the chunks hold together. */
  rows(key: ChunkKey, buckets: TimeRange): number;
  /** null where there is none; where the register says that there is one, it is missed by `demandAll`. */
  find(key: ChunkKey, bucketMs: UtcMs): SealedHead | null;
  /** @returns its checksum */
  write(key: ChunkKey, head: TimedHead & { readonly parts: Uint32Array }): number;
  remove(key: ChunkKey, bucketMs: UtcMs): void;
  /** @throws DamagedData where chunks are lost, or of another moment than what was asked */
  demandAll(key: ChunkKey, buckets: TimeRange): void;
}

/** A head as it lies in the table. */
export interface HeadRow extends Omit<ChunkHead, "variables"> {
  readonly variables: string;
  readonly times: Uint8Array;
  readonly parts: Uint8Array | null;
  readonly checksum: number;
}

interface Listing extends TimeRange {
  readonly name: string;
  readonly version: number;
  readonly heads: SealedHead[];
}

const FIELDS = "bucket_ms AS bucketMs, n AS rows, first_ms AS firstMs, last_ms AS lastMs, variables";

export function headTable(db: Db, sites: SiteTable, register: RegisterTable, verified: Verified): HeadTable {
  const rows = db
    .prepare<unknown[], number>(`SELECT coalesce(sum(n), 0) FROM chunk WHERE ${OF_CHUNK} AND ${AMONG_VERIFIED}`)
    .pluck();
  const many = db.prepare<unknown[], HeadRow>(
    `SELECT ${FIELDS}, times, checksum, parts FROM chunk WHERE ${OF_CHUNK} AND ${AMONG_VERIFIED} ORDER BY bucket_ms`,
  );
  const isThere = db.prepare<unknown[]>(`SELECT 1 FROM chunk WHERE ${OF_CHUNK} AND ${AMONG_VERIFIED}`);
  const one = db.prepare<unknown[], HeadRow>(
    `SELECT ${FIELDS}, times, checksum, parts FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO chunk VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  const drop = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  // The heads of a range are listed first, and then read again part by part.
  let last: Listing | null = null;
  return {
    demandAll: register.demandHeads,
    read(key, buckets) {
      register.demandHeads(key, buckets);
      const { startMs, endMs } = buckets;
      const version = verified.version();
      const name = valuesOfChunk(key).join(" ");
      if (last?.name === name && last.version === version && last.startMs <= startMs && endMs <= last.endMs)
        return last.heads.filter((head) => head.bucketMs >= startMs && head.bucketMs < endMs);
      const stored = many.all(...valuesOfChunk(key), ...amongVerified(key, buckets));
      if (stored.length === 0) return [];
      const stationId = sites.nameOf(key.site);
      const heads = stored.map((row) => assertHead(key, stationId, row));
      last = { name, version, startMs, endMs, heads };
      return heads;
    },
    rows(key, buckets) {
      register.demandHeads(key, buckets);
      return rows.get(...valuesOfChunk(key), ...amongVerified(key, buckets))!;
    },
    find(key, bucketMs) {
      const row = one.get(...valuesOfChunk(key), bucketMs);
      if (row) return assertHead(key, sites.nameOf(key.site), row);
      // A search goes astray where a key beside it is damaged; the walk that was verified does not.
      const bucket = { startMs: bucketMs, endMs: bucketMs + 1 };
      if (isThere.get(...valuesOfChunk(key), ...amongVerified(key, bucket)))
        throw new DamagedData("a chunk that cannot be found");
      return null;
    },
    write(key, head) {
      const { bucketMs, rows: n, firstMs, lastMs, times } = head;
      const variables = head.variables.join(" ");
      const parts = bytesOf(head.parts);
      last = null;
      const sum = checksumOf(key, sites.nameOf(key.site), { ...head, variables, parts });
      insert.run(...valuesOfChunk(key), bucketMs, n, firstMs, lastMs, variables, times, sum, parts);
      return sum;
    },
    remove(key, bucketMs) {
      last = null;
      drop.run(...valuesOfChunk(key), bucketMs);
    },
  };
}

/** A column must be of the same moment as its chunk. @throws DamagedData */
export function demandPart({ variables, parts }: TimedHead, variable: Variable, checksumOfColumn: number): void {
  if (parts === null) return;
  if (parts[variables.indexOf(variable) * PARTS + PART.values] !== checksumOfColumn)
    throw new DamagedData("values of another moment than their chunk");
}

/** @throws DamagedData */
export function assertHead(key: ChunkKey, stationId: string, row: HeadRow): SealedHead {
  demand(row.checksum, checksumOf(key, stationId, row));
  const lengthMs = bucketMs(key.kind, key.interval === 0 ? null : key.interval);
  const { bucketMs: startMs, firstMs, lastMs, rows } = row;
  const fits = startMs === bucketStart(firstMs, lengthMs) && startMs === bucketStart(lastMs, lengthMs);
  if (!fits || firstMs > lastMs || rows < 1) throw new DamagedData("a chunk in the place of another");
  const variables = namesIn(row.variables);
  const parts = row.parts && numbersOf(row.parts);
  if (parts !== null && parts.length !== variables.length * PARTS) throw new DamagedData("a chunk without its parts");
  return { bucketMs: startMs, firstMs, lastMs, rows, times: row.times, checksum: row.checksum, variables, parts };
}

/** The last ones: those of the chunks of a station are nearly always the same. */
let lastNames: { readonly text: string; readonly names: readonly Variable[] } = { text: "", names: [] };

function namesIn(variables: string): readonly Variable[] {
  // A damaged record may hold another type than its column has.
  if (typeof variables !== "string") throw new DamagedData("variables that are not text");
  if (variables !== lastNames.text) lastNames = { text: variables, names: variables.split(" ").filter(isVariable) };
  return lastNames.names;
}

function bytesOf(parts: Uint32Array): Uint8Array {
  return new Uint8Array(parts.buffer, parts.byteOffset, parts.byteLength);
}

function numbersOf(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  return new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 2);
}

function checksumOf(key: ChunkKey, stationId: string, row: Omit<HeadRow, "checksum">): number {
  const plain = [...valuesOfChunk(key), row.bucketMs, row.rows, row.firstMs, row.lastMs, row.variables];
  // The form before does not name the station: it is the register that does.
  if (row.parts === null) return checksum(plain, row.times);
  return checksum([stationId, ...plain], row.parts, row.times);
}
