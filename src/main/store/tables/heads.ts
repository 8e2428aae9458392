import { bytesOf } from "#shared/arrays.ts";
import { isVariable, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../chunks/bucket.ts";
import type { Db } from "../database/database.ts";
import { DamagedData } from "../errors.ts";
import { bucketLength, type ChunkKey, checksum, assertChecksum, OF_CHUNK, valuesOfChunk } from "./keys.ts";
import { IN_VERIFIED_PERIODS, NUMBERS_PER_PART, PART, verifiedPeriods } from "./periodTotals.ts";
import type { RegisterTable } from "./register.ts";
import type { SiteTable, VerifiedRanges } from "./sites.ts";

/** A chunk without its columns. */
export interface ChunkHead {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly variables: readonly Variable[];
}

export interface TimedHead extends ChunkHead {
  /** Output of `encodeRuns`. */
  readonly times: Uint8Array;
  /** `NUMBERS_PER_PART` numbers for each variable; null in chunks of the previous format. */
  readonly parts: Uint32Array | null;
}

export interface SealedHead extends TimedHead {
  readonly checksum: number;
}

/** The heads of chunks, with the times of their rows. Ranges are of bucket starts. No method opens a transaction. */
export interface HeadTable {
  read(key: ChunkKey, buckets: TimeRange): TimedHead[];
  /** Returns the total number of rows of the chunks. */
  rows(key: ChunkKey, buckets: TimeRange): number;
  /** Returns null without one. `verifyHeads` detects a chunk that is missing but registered. */
  find(key: ChunkKey, bucketMs: UtcMs): SealedHead | null;
  /** @returns its checksum */
  write(key: ChunkKey, head: TimedHead & { readonly parts: Uint32Array }): number;
  remove(key: ChunkKey, bucketMs: UtcMs): void;
  /** @throws DamagedData if chunks are lost, or of another state of the file than requested */
  verifyHeads(key: ChunkKey, buckets: TimeRange): void;
}

/** A row of the table. */
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

export function headTable(db: Db, sites: SiteTable, register: RegisterTable, verified: VerifiedRanges): HeadTable {
  const rows = db
    .prepare<unknown[], number>(`SELECT coalesce(sum(n), 0) FROM chunk WHERE ${OF_CHUNK} AND ${IN_VERIFIED_PERIODS}`)
    .pluck();
  const selectRange = db.prepare<unknown[], HeadRow>(
    `SELECT ${FIELDS}, times, checksum, parts FROM chunk WHERE ${OF_CHUNK} AND ${IN_VERIFIED_PERIODS} ORDER BY bucket_ms`,
  );
  const exists = db.prepare<unknown[]>(`SELECT 1 FROM chunk WHERE ${OF_CHUNK} AND ${IN_VERIFIED_PERIODS}`);
  const selectOne = db.prepare<unknown[], HeadRow>(
    `SELECT ${FIELDS}, times, checksum, parts FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`,
  );
  const insert = db.prepare<unknown[]>("INSERT OR REPLACE INTO chunk VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  const deleteHead = db.prepare<unknown[]>(`DELETE FROM chunk WHERE ${OF_CHUNK} AND bucket_ms = ?`);
  // Callers list the heads of a range first, and then read them again part by part.
  let lastListing: Listing | null = null;
  return {
    verifyHeads: register.verifyHeads,
    read(key, buckets) {
      register.verifyHeads(key, buckets);
      const { startMs, endMs } = buckets;
      const version = verified.version();
      const name = valuesOfChunk(key).join(" ");
      if (
        lastListing?.name === name &&
        lastListing.version === version &&
        lastListing.startMs <= startMs &&
        endMs <= lastListing.endMs
      )
        return lastListing.heads.filter((head) => head.bucketMs >= startMs && head.bucketMs < endMs);
      const stored = selectRange.all(...valuesOfChunk(key), ...verifiedPeriods(key, buckets));
      if (stored.length === 0) return [];
      const stationId = sites.nameOf(key.site);
      const heads = stored.map((row) => assertHead(key, stationId, row));
      lastListing = { name, version, startMs, endMs, heads };
      return heads;
    },
    rows(key, buckets) {
      register.verifyHeads(key, buckets);
      return rows.get(...valuesOfChunk(key), ...verifiedPeriods(key, buckets)) ?? 0;
    },
    find(key, bucketMs) {
      const row = selectOne.get(...valuesOfChunk(key), bucketMs);
      if (row) return assertHead(key, sites.nameOf(key.site), row);
      // A search can miss a row beside a damaged key; the verified scan cannot.
      const bucket = { startMs: bucketMs, endMs: bucketMs + 1 };
      if (exists.get(...valuesOfChunk(key), ...verifiedPeriods(key, bucket)))
        throw new DamagedData("a chunk that cannot be found");
      return null;
    },
    write(key, head) {
      const { bucketMs, rows: n, firstMs, lastMs, times } = head;
      const variables = head.variables.join(" ");
      const parts = bytesOf(head.parts);
      lastListing = null;
      const sum = checksumOf(key, sites.nameOf(key.site), { ...head, variables, parts });
      insert.run(...valuesOfChunk(key), bucketMs, n, firstMs, lastMs, variables, times, sum, parts);
      return sum;
    },
    remove(key, bucketMs) {
      lastListing = null;
      deleteHead.run(...valuesOfChunk(key), bucketMs);
    },
  };
}

/** Checks that a column belongs to the same state of its chunk. @throws DamagedData */
export function assertColumnChecksum(
  { variables, parts }: TimedHead,
  variable: Variable,
  checksumOfColumn: number,
): void {
  if (parts === null) return;
  if (parts[variables.indexOf(variable) * NUMBERS_PER_PART + PART.values] !== checksumOfColumn)
    throw new DamagedData("values of another moment than their chunk");
}

/** @throws DamagedData */
export function assertHead(key: ChunkKey, stationId: string, row: HeadRow): SealedHead {
  assertChecksum(row.checksum, checksumOf(key, stationId, row));
  const lengthMs = bucketLength(key);
  const { bucketMs: startMs, firstMs, lastMs, rows } = row;
  const fits = startMs === bucketStart(firstMs, lengthMs) && startMs === bucketStart(lastMs, lengthMs);
  if (!fits || firstMs > lastMs || rows < 1) throw new DamagedData("a chunk in the place of another one");
  const variables = namesIn(row.variables);
  const parts = row.parts && numbersOf(row.parts);
  if (parts !== null && parts.length !== variables.length * NUMBERS_PER_PART)
    throw new DamagedData("a chunk without its parts");
  return { bucketMs: startMs, firstMs, lastMs, rows, times: row.times, checksum: row.checksum, variables, parts };
}

/** The names that were parsed last: chunks of a station nearly always have the same variables. */
let lastNames: { readonly text: string; readonly names: readonly Variable[] } = { text: "", names: [] };

function namesIn(variables: string): readonly Variable[] {
  // A damaged record may hold another type than its column has.
  if (typeof variables !== "string") throw new DamagedData("variables that are not text");
  if (variables !== lastNames.text) lastNames = { text: variables, names: variables.split(" ").filter(isVariable) };
  return lastNames.names;
}

function numbersOf(bytes: Uint8Array): Uint32Array {
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  return new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 2);
}

function checksumOf(key: ChunkKey, stationId: string, row: Omit<HeadRow, "checksum">): number {
  const plain = [...valuesOfChunk(key), row.bucketMs, row.rows, row.firstMs, row.lastMs, row.variables];
  // The previous format does not contain the station; the register does.
  if (row.parts === null) return checksum(plain, row.times);
  return checksum([stationId, ...plain], row.parts, row.times);
}
