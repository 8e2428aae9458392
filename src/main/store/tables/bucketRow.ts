import { crc32 } from "node:zlib";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Extent } from "../chunks/coverage.ts";
import { byteReader, byteWriter } from "../codec/bytes.ts";
import { DamagedData } from "../errors.ts";
import { bucketLength, type ChunkKey, DamagedSeries, keyText, variablesOfKind } from "./keys.ts";

/** What a bucket row knows of one of its columns. */
export interface ColumnEntry {
  /** Row of `bucket_column`, and of `pyramid` if the variable is a scalar. */
  readonly id: number;
  readonly checksum: number;
  /** Checksum of the pyramid; 0 without one. */
  readonly pyramid: number;
  /** Number of values. */
  readonly count: number;
  /** Whether every response with a row of the bucket contained the variable. */
  readonly isWhole: boolean;
  /** Size of the stored column. */
  readonly bytes: number;
}

export interface BucketContent {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  /** First and last time; without rows, the start of the bucket. */
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  /** Output of `encodeRuns`; empty without rows. */
  readonly times: Uint8Array;
  readonly columns: ReadonlyMap<Variable, ColumnEntry>;
  /** Ranges within the bucket that were requested and answered, ascending. */
  readonly extents: ReadonlyMap<Variable, readonly Extent[]>;
}

/**
 * Encodes a bucket row. Little-endian; numbers are varints unless stated otherwise:
 *
 * | field | |
 * |---|---|
 * | checksum | u32, of the key and all that follows |
 * | length of what follows | |
 * | number of the bucket, from 1970 | signed |
 * | bit per variable: final in all of the bucket | u8 |
 * | bit per variable: other coverage | u8 |
 * | rows; the fields up to the times only if there are any | |
 * | first and last time, from the start of the bucket | |
 * | bit per variable: has a column | u8 |
 * | per column: checksum, checksum of the pyramid, count with the highest bit for “whole”, bytes, id | u32 × 4, u48 |
 * | times | length and bytes |
 * | per variable with other coverage: number of extents; of each its start, length, whether it is final, and if not, when it was fetched (signed) | |
 */
export function encodeBucketRow(key: ChunkKey, content: BucketContent): Buffer {
  const { bucketMs, rows, firstMs, lastMs, times, columns, extents } = content;
  const lengthMs = bucketLength(key);
  const variables = variablesOfKind(key.kind);
  const maskOf = (has: (variable: Variable) => boolean): number =>
    variables.reduce((mask, variable, i) => (has(variable) ? mask | (1 << i) : mask), 0);
  const isFinal = (variable: Variable): boolean => {
    const [only, other] = extents.get(variable) ?? [];
    return only?.fetchedAtMs === null && !other && only.startMs === bucketMs && only.endMs === bucketMs + lengthMs;
  };
  const isOther = (variable: Variable): boolean => (extents.get(variable)?.length ?? 0) > 0 && !isFinal(variable);
  const body = byteWriter();
  body.signed(bucketMs / lengthMs);
  body.bytes(Uint8Array.of(maskOf(isFinal), maskOf(isOther)));
  body.unsigned(rows);
  if (rows > 0) {
    body.unsigned(firstMs - bucketMs);
    body.unsigned(lastMs - firstMs);
    body.bytes(Uint8Array.of(maskOf((variable) => columns.has(variable))));
    for (const variable of variables) {
      const column = columns.get(variable);
      if (column) body.bytes(encodeColumn(column));
    }
    body.block(times);
  }
  for (const variable of variables) {
    if (!isOther(variable)) continue;
    const own = extents.get(variable) ?? [];
    body.unsigned(own.length);
    let at = bucketMs;
    for (const { startMs, endMs, fetchedAtMs } of own) {
      body.unsigned(startMs - at);
      body.unsigned(endMs - startMs);
      body.unsigned(fetchedAtMs === null ? 1 : 0);
      if (fetchedAtMs !== null) body.signed(fetchedAtMs);
      at = endMs;
    }
  }
  const out = byteWriter();
  out.block(body.finish());
  const bytes = out.finish();
  const encoded = Buffer.alloc(4 + bytes.length);
  encoded.set(bytes, 4);
  encoded.writeUInt32LE(crc32(bytes, keySum(key)), 0);
  return encoded;
}

const COLUMN_BYTES = 22;
const WHOLE = 2 ** 31;

function encodeColumn({ checksum, pyramid, count, isWhole, bytes, id }: ColumnEntry): Buffer {
  const out = Buffer.alloc(COLUMN_BYTES);
  out.writeUInt32LE(checksum, 0);
  out.writeUInt32LE(pyramid, 4);
  out.writeUInt32LE(count + (isWhole ? WHOLE : 0), 8);
  out.writeUInt32LE(bytes, 12);
  out.writeUIntLE(id, 16, 6);
  return out;
}

function keySum(key: ChunkKey): number {
  return crc32(keyText(key));
}

/** A decoded bucket row. Its columns, times and coverage are decoded when they are asked for. */
export class BucketRow {
  readonly bucketMs: UtcMs;
  readonly rows: number;
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  /** Many rows share their bytes: an array for each would take more memory than the rows. */
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #of: KindOfBuckets;
  readonly #final: number;
  readonly #other: number;
  readonly #held: number;
  readonly #columnsAt: number;

  /** @param start of the row in the bytes; its fields begin at `cursor` */
  constructor(bytes: Buffer, start: number, end: number, of: KindOfBuckets) {
    this.#of = of;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    const bucket = varint(bytes);
    this.bucketMs = (bucket % 2 === 0 ? bucket / 2 : -(bucket + 1) / 2) * of.lengthMs;
    this.#final = byteAt(bytes, cursor);
    this.#other = byteAt(bytes, cursor + 1);
    cursor += 2;
    this.rows = varint(bytes);
    if (this.rows === 0) {
      this.firstMs = this.bucketMs;
      this.lastMs = this.bucketMs;
      this.#held = 0;
    } else {
      this.firstMs = this.bucketMs + varint(bytes);
      this.lastMs = this.firstMs + varint(bytes);
      this.#held = byteAt(bytes, cursor);
      cursor++;
    }
    this.#columnsAt = cursor;
    if (cursor + COLUMN_BYTES * ones(this.#held) > end) throw new DamagedData("missing bytes");
  }

  /** The row as it is stored. */
  get encoded(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Size of the row. */
  get bytes(): number {
    return this.#end - this.#start;
  }

  get endMs(): UtcMs {
    return this.bucketMs + this.#of.lengthMs;
  }

  /** The variables with a column. */
  get variables(): readonly Variable[] {
    return this.#of.namesIn(this.#held);
  }

  /** The variables with a column or coverage. */
  get known(): readonly Variable[] {
    return this.#of.namesIn(this.#held | this.#final | this.#other);
  }

  has(variable: Variable): boolean {
    return (this.#held & this.#of.bit(variable)) !== 0;
  }

  /** Returns the number of values of a variable. */
  count(variable: Variable): number {
    const at = this.#columnAt(variable);
    return at < 0 ? 0 : this.#bytes.readUInt32LE(at + 8) % WHOLE;
  }

  column(variable: Variable): ColumnEntry | null {
    const at = this.#columnAt(variable);
    if (at < 0) return null;
    const bytes = this.#bytes;
    const count = bytes.readUInt32LE(at + 8);
    return {
      checksum: bytes.readUInt32LE(at),
      pyramid: bytes.readUInt32LE(at + 4),
      count: count % WHOLE,
      isWhole: count >= WHOLE,
      bytes: bytes.readUInt32LE(at + 12),
      id: bytes.readUIntLE(at + 16, 6),
    };
  }

  /** Output of `encodeRuns`; empty without rows. */
  get times(): Uint8Array {
    const { start, end } = this.#timesAt();
    return this.#bytes.subarray(start, end);
  }

  /** Whether all of the bucket is final. */
  isFinal(variable: Variable): boolean {
    return (this.#final & this.#of.bit(variable)) !== 0;
  }

  /** Returns the covered ranges of a variable within the bucket, ascending. @throws DamagedData */
  extents(variable: Variable): readonly Extent[] {
    if (this.isFinal(variable)) return [{ startMs: this.bucketMs, endMs: this.endMs, fetchedAtMs: null }];
    if ((this.#other & this.#of.bit(variable)) === 0) return [];
    const source = byteReader(this.#bytes.subarray(this.#timesAt().end, this.#end));
    for (const name of this.#of.namesIn(this.#other)) {
      let at = this.bucketMs;
      const extents: Extent[] = [];
      for (let left = source.unsigned(); left > 0; left--) {
        const startMs = at + source.unsigned();
        at = startMs + source.unsigned();
        extents.push({ startMs, endMs: at, fetchedAtMs: source.unsigned() === 1 ? null : source.signed() });
      }
      if (name === variable) return extents;
    }
    return [];
  }

  #timesAt(): { readonly start: number; readonly end: number } {
    if (this.rows === 0) return { start: this.#columnsAt, end: this.#columnsAt };
    cursor = this.#columnsAt + COLUMN_BYTES * ones(this.#held);
    const length = varint(this.#bytes);
    return { start: cursor, end: Math.min(this.#end, cursor + length) };
  }

  #columnAt(variable: Variable): number {
    const bit = this.#of.bit(variable);
    if ((this.#held & bit) === 0) return -1;
    return this.#columnsAt + COLUMN_BYTES * ones(this.#held & (bit - 1));
  }
}

/** Position of the next byte to decode: an object for each of many rows would take most of the time. */
let cursor = 0;

function varint(bytes: Uint8Array): number {
  let value = 0;
  for (let scale = 1; ; scale *= 0x80) {
    const byte = bytes[cursor++];
    if (byte === undefined || scale > 2 ** 49) throw new DamagedData("an unterminated number");
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new DamagedData("missing bytes");
  return byte;
}

function ones(mask: number): number {
  let n = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) n++;
  return n;
}

/** What all buckets of a kind and interval have in common. */
interface KindOfBuckets {
  readonly lengthMs: number;
  bit(variable: Variable): number;
  namesIn(mask: number): readonly Variable[];
}

const kinds = new Map<string, KindOfBuckets>();

function bucketKind(key: ChunkKey): KindOfBuckets {
  const name = `${key.kind} ${key.interval}`;
  const known = kinds.get(name);
  if (known) return known;
  const variables = variablesOfKind(key.kind);
  const bits = new Map(variables.map((variable, i) => [variable, 1 << i]));
  const names = new Map<number, readonly Variable[]>();
  const created: KindOfBuckets = {
    lengthMs: bucketLength(key),
    bit: (variable) => bits.get(variable) ?? 0,
    namesIn(mask) {
      const found = names.get(mask) ?? variables.filter((_, i) => (mask & (1 << i)) !== 0);
      names.set(mask, found);
      return found;
    },
  };
  kinds.set(name, created);
  return created;
}

/**
 * Decodes consecutive bucket rows of one key, whose buckets must ascend within a range.
 *
 * @throws DamagedData
 */
export function decodeBucketRows(key: ChunkKey, bytes: Buffer, buckets: TimeRange): BucketRow[] {
  const of = bucketKind(key);
  const sum = keySum(key);
  const rows: BucketRow[] = [];
  let lastMs = -Infinity;
  for (let at = 0; at < bytes.length;) {
    cursor = at + 4;
    const length = varint(bytes);
    const end = cursor + length;
    if (end > bytes.length || bytes.readUInt32LE(at) !== crc32(bytes.subarray(at + 4, end), sum))
      throw new DamagedSeries(key, "a checksum that does not fit");
    const row = new BucketRow(bytes, at, end, of);
    if (row.bucketMs <= lastMs || row.bucketMs < buckets.startMs || row.bucketMs >= buckets.endMs)
      throw new DamagedSeries(key, "a bucket in the place of another one");
    rows.push(row);
    lastMs = row.bucketMs;
    at = end;
  }
  return rows;
}
