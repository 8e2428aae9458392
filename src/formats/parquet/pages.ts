import { promisify } from "node:util";
import { constants, crc32, zstdCompress, type ZstdOptions } from "node:zlib";
import { defined } from "#shared/defined.ts";
import type { ColumnMetaData, Encoding, ParquetType, Statistics } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";

/** An encoded column of a row group, with its metadata for the footer; offsets are relative to its first byte. */
export interface EncodedColumn {
  readonly bytes: readonly Uint8Array[];
  readonly length: number;
  readonly meta: Omit<ColumnMetaData, "path_in_schema">;
}

// The library encodes arrays of objects value by value; encoding typed arrays as blocks of bytes takes a fifth of the
// time. Page headers and footer are written by the library.

/** Encodes strictly ascending times in milliseconds, as PLAIN, because some readers misread deltas across long gaps. */
export function encodeMoments(timesMs: Float64Array): Promise<EncodedColumn> {
  const bytes = new Uint8Array(8 * timesMs.length);
  const view = new DataView(bytes.buffer);
  // By halves, because a BigInt for each row would take longer than everything else.
  for (let row = 0; row < timesMs.length; row++) {
    const timeMs = timesMs[row]!;
    view.setUint32(8 * row, timeMs, true);
    view.setInt32(8 * row + 4, Math.floor(timeMs / 2 ** 32), true);
  }
  return plainColumn("INT64", timesMs.length, [bytes], {
    min_value: BigInt(defined(timesMs.at(0))),
    max_value: BigInt(defined(timesMs.at(-1))),
    null_count: 0n,
  });
}

/** Encodes doubles without loss; NaN becomes null. */
export function encodeDoubles(values: Float64Array): Promise<EncodedColumn> {
  const present = new Float64Array(values.length);
  const levels = new Levels(values.length);
  let count = 0;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    levels.mark(i);
    present[count++] = value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const bytes = new Uint8Array(present.buffer, 0, 8 * count);
  return plainColumn("DOUBLE", values.length, [levels.bytes(count), bytes], {
    ...(count === 0 ? {} : numberBounds(min, max)),
    null_count: BigInt(values.length - count),
  });
}

/** By the format, a zero bound is -0 as minimum and +0 as maximum. */
function numberBounds(min: number, max: number): Statistics {
  return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
}

/** Encodes a column with the same text in all rows. */
export function encodeConstantText(text: string, rows: number): Promise<EncodedColumn> {
  return dictionaryColumn(textDictionary([text]), rows, [sameIndex(rows)]);
}

/** Encodes an optional column with the same number in all rows. */
export function encodeConstantDouble(value: number | null, rows: number): Promise<EncodedColumn> {
  if (value === null) return encodeDoubles(new Float64Array(rows).fill(Number.NaN));
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  const dictionary: Dictionary = { type: "DOUBLE", bytes: [bytes], size: 1, bounds: numberBounds(value, value) };
  return dictionaryColumn(dictionary, rows, [levelsOfAll(rows, 1), sameIndex(rows)]);
}

/** The first value of a dictionary, in all rows. */
function sameIndex(rows: number): Uint8Array {
  const run = new ByteWriter(16);
  run.appendUint8(1); // bits per index
  run.appendVarInt(rows * 2);
  run.appendUint8(0);
  return run.getBytes();
}

/** Encodes a column of few distinct texts, by the index of each row in `texts`, all of which must be used. */
export function encodeDictionary(texts: readonly string[], indices: Uint32Array): Promise<EncodedColumn> {
  const bits = Math.max(1, Math.ceil(Math.log2(texts.length)));
  const groups = Math.ceil(indices.length / 8);
  const packed = new Uint8Array(groups * bits);
  for (let row = 0; row < indices.length; row++) {
    let value = indices[row]!;
    for (let bit = row * bits; value > 0; bit++, value >>>= 1) if (value & 1) packed[bit >> 3]! |= 1 << (bit & 7);
  }
  const run = new ByteWriter(16 + packed.length);
  run.appendUint8(bits);
  run.appendVarInt(groups * 2 + 1);
  run.appendBytes(packed);
  return dictionaryColumn(textDictionary(texts), indices.length, [run.getBytes()]);
}

/** The distinct values of a column. */
interface Dictionary {
  readonly type: ParquetType;
  readonly bytes: readonly Uint8Array[];
  readonly size: number;
  readonly bounds: Statistics;
}

function textDictionary(texts: readonly string[]): Dictionary {
  const ordered = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const bounds = { min_value: defined(ordered[0]), max_value: defined(ordered.at(-1)) };
  return { type: "BYTE_ARRAY", bytes: texts.flatMap(textBytes), size: texts.length, bounds };
}

async function dictionaryColumn(
  { type, bytes, size, bounds }: Dictionary,
  rows: number,
  content: readonly Uint8Array[],
): Promise<EncodedColumn> {
  const dictionary = await encodedPage(bytes, (sizes) => ({
    type: "DICTIONARY_PAGE",
    ...sizes,
    dictionary_page_header: { num_values: size, encoding: "PLAIN" },
  }));
  const data = await dataPage("RLE_DICTIONARY", rows, content);
  return {
    bytes: [...dictionary.bytes, ...data.bytes],
    length: dictionary.length + data.length,
    meta: {
      type,
      encodings: ["PLAIN", "RLE", "RLE_DICTIONARY"],
      codec: "ZSTD",
      num_values: BigInt(rows),
      total_uncompressed_size: BigInt(dictionary.uncompressed + data.uncompressed),
      total_compressed_size: BigInt(dictionary.length + data.length),
      dictionary_page_offset: 0n,
      data_page_offset: BigInt(dictionary.length),
      statistics: { ...bounds, null_count: 0n },
    },
  };
}

/** A column of plain values. */
async function plainColumn(
  type: ParquetType,
  rows: number,
  content: readonly Uint8Array[],
  statistics: Statistics,
): Promise<EncodedColumn> {
  const { bytes, length, uncompressed } = await dataPage("PLAIN", rows, content);
  return {
    bytes,
    length,
    meta: {
      type,
      encodings: ["PLAIN", "RLE"],
      codec: "ZSTD",
      num_values: BigInt(rows),
      total_uncompressed_size: BigInt(uncompressed),
      total_compressed_size: BigInt(length),
      data_page_offset: 0n,
      statistics,
    },
  };
}

/** Encodes a page of version 1, which every reader supports. */
function dataPage(encoding: Encoding, rows: number, content: readonly Uint8Array[]): Promise<Page> {
  return encodedPage(content, (sizes) => ({
    type: "DATA_PAGE",
    ...sizes,
    data_page_header: {
      num_values: rows,
      encoding,
      definition_level_encoding: "RLE",
      repetition_level_encoding: "RLE",
    },
  }));
}

interface Page {
  readonly bytes: readonly Uint8Array[];
  readonly length: number;
  readonly uncompressed: number;
}

type PageHeader = Parameters<typeof writePageHeader>[1];
type Sizes = Pick<PageHeader, "uncompressed_page_size" | "compressed_page_size" | "crc">;

// The fastest level: higher ones save a few percent and take twice as long.
const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Node returns to the core after each chunk of output. */
const MIN_CHUNK_BYTES = 1 << 10;
const compressed = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress);

async function encodedPage(content: readonly Uint8Array[], describe: (sizes: Sizes) => PageHeader): Promise<Page> {
  const plain = Buffer.concat(content);
  const packed = await compressed(plain, { params: LEVEL, chunkSize: Math.max(MIN_CHUNK_BYTES, plain.length) });
  const header = new ByteWriter(64);
  // Signed, as all integers of the format.
  const crc = crc32(packed) | 0;
  writePageHeader(header, describe({ uncompressed_page_size: plain.length, compressed_page_size: packed.length, crc }));
  const head = header.getBytes();
  return { bytes: [head, packed], length: head.length + packed.length, uncompressed: head.length + plain.length };
}

function textBytes(text: string): [Uint8Array, Uint8Array] {
  const bytes = Buffer.from(text.toWellFormed());
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}

/** Definition levels: a bit per row, as one bit-packed run, or one RLE run if all or no rows have a value. */
class Levels {
  readonly #rows: number;
  readonly #bits: Uint8Array;

  constructor(rows: number) {
    this.#rows = rows;
    this.#bits = new Uint8Array(Math.ceil(rows / 8));
  }

  mark(row: number): void {
    this.#bits[row >> 3]! |= 1 << (row & 7);
  }

  /** @param present number of marked rows */
  bytes(present: number): Uint8Array {
    if (present === 0 || present === this.#rows) return levelsOfAll(this.#rows, present === 0 ? 0 : 1);
    const writer = new ByteWriter(8 + this.#bits.length);
    writer.appendVarInt(this.#bits.length * 2 + 1);
    writer.appendBytes(this.#bits);
    return withLength(writer.getBytes());
  }
}

/** The same definition level in all rows. */
function levelsOfAll(rows: number, level: 0 | 1): Uint8Array {
  const writer = new ByteWriter(16);
  writer.appendVarInt(rows * 2);
  writer.appendUint8(level);
  return withLength(writer.getBytes());
}

function withLength(run: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(run.length);
  return Buffer.concat([length, run]);
}
