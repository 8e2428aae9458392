import { constants, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DamagedData } from "../errors.ts";
import { bounded, type ByteReader, byteReader, type ByteWriter, byteWriter } from "./bytes.ts";

/** A sample of 256 random bytes has about 162 distinct values. */
const SAMPLE_BYTES = 256;
const NOISE_VALUES = 150;

const seen = new Uint8Array(256);

/**
 * Whether bytes are probably incompressible, like the low bytes of measured doubles: 256 bytes of them, evenly
 * distributed, have at least 150 distinct values. Much cheaper than an attempt to compress them.
 */
function isNoise(bytes: Uint8Array): boolean {
  if (bytes.length < 4 * SAMPLE_BYTES) return false;
  seen.fill(0);
  let distinct = 0;
  for (let k = 0; k < SAMPLE_BYTES; k++) {
    const byte = bytes[Math.floor((k * bytes.length) / SAMPLE_BYTES)]!;
    distinct += 1 - seen[byte]!;
    seen[byte] = 1;
  }
  return distinct >= NOISE_VALUES;
}

/**
 * How bytes are compressed, by their nature:
 * - noise: small differences without repetition. Huffman codes and runs only: closest to the entropy, and fastest.
 * - pattern: short and regular (bitmaps).
 * - bytes: of doubles. Fast to decode; incompressible noise is detected at once.
 * - text: repetition over long distances.
 */
type DataKind = "noise" | "pattern" | "bytes" | "text";

const STORED = 0;
const DEFLATED = 1;
const ZSTD = 2;

/**
 * Below this size, compression gains too little for its start-up cost (30 µs, as much as encoding a thousand values). A
 * day's times and pyramid blocks are that small, and a chunk has ten of them.
 */
const MIN_BYTES: Readonly<Record<DataKind, number>> = { noise: 64, pattern: 512, bytes: 64, text: 256 };

const noise = { level: 1, strategy: constants.Z_RLE, memLevel: 6 };
const pattern = { level: 1, memLevel: 6 };
const bytes = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const text = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Returns a byte with the method, and the compressed bytes, or the original ones if compression gains nothing. */
export function compress(raw: Uint8Array, kind: DataKind): Uint8Array {
  const packed = pack(raw, kind);
  const body = packed ?? raw;
  const out = new Uint8Array(body.length + 1);
  out[0] = packed === null ? STORED : methodOf(kind);
  out.set(body, 1);
  return out;
}

/** Writes the output of `compress` without an extra copy, preceded by its length if `asBlock`. */
export function compressInto(out: ByteWriter, raw: Uint8Array, kind: DataKind, asBlock = false): void {
  const packed = pack(raw, kind);
  const body = packed ?? raw;
  if (asBlock) out.unsigned(body.length + 1);
  out.unsigned(packed === null ? STORED : methodOf(kind));
  out.bytes(body);
}

function methodOf(kind: DataKind): number {
  return kind === "text" || kind === "bytes" ? ZSTD : DEFLATED;
}

/** Compresses bytes; returns null if nothing is gained. */
function pack(raw: Uint8Array, kind: DataKind): Uint8Array | null {
  if (raw.length < MIN_BYTES[kind]) return null;
  if (kind === "bytes" && isNoise(raw)) return null;
  const packed =
    methodOf(kind) === ZSTD
      ? zstdCompressSync(raw, kind === "text" ? text : bytes)
      : deflateRawSync(raw, kind === "noise" ? noise : pattern);
  return packed.length < raw.length ? packed : null;
}

/** @throws DamagedData if the bytes are not the output of `compress`, or have another length than expected */
export function decompress(compressed: Uint8Array, rawLength: number): Uint8Array {
  return unpack(compressed[0], compressed.subarray(1), rawLength);
}

/**
 * Returns a reader of the bytes that `compressInto` wrote. If they are not compressed, it is `source` itself, because
 * most blocks are so small that a slice would take longer than reading them.
 *
 * @param length of the compressed bytes
 * @throws DamagedData
 */
export function decompressed(source: ByteReader, length: number, rawLength: number): ByteReader {
  const method = source.unsigned();
  if (method === STORED) return source;
  return byteReader(unpack(method, source.bytes(length - 1), rawLength));
}

function unpack(method: number | undefined, body: Uint8Array, rawLength: number): Uint8Array {
  // Limit the length: damaged bytes must not make the decoder exhaust memory.
  const limit = { maxOutputLength: Math.max(1, bounded(rawLength)) };
  let raw = null;
  try {
    if (method === STORED) raw = body;
    if (method === DEFLATED) raw = inflateRawSync(body, limit);
    if (method === ZSTD) raw = zstdDecompressSync(body, limit);
  } catch (cause) {
    throw new DamagedData("compressed bytes that cannot be read", { cause });
  }
  if (raw === null) throw new DamagedData(`an unknown compression: ${method}`);
  if (raw.length !== rawLength) throw new DamagedData(`${raw.length} bytes where ${rawLength} were expected`);
  return raw;
}

/** Encodes flags (0 or 1) as one bit each, compressed: a few bytes for the usual regular patterns. */
export function encodeBits(flags: Uint8Array): Uint8Array {
  const n = flags.length;
  const packed = new Uint8Array(Math.ceil(n / 8));
  for (let i = 0; i < n; i += 8) {
    let byte = 0;
    for (let k = Math.min(7, n - 1 - i); k >= 0; k--) byte = (byte << 1) | flags[i + k]!;
    packed[i >> 3] = byte;
  }
  const out = byteWriter();
  out.unsigned(n);
  compressInto(out, packed, "pattern");
  return out.finish();
}

/**
 * @param allocate returns an array for this number of flags, all of which are written
 * @throws DamagedData
 */
export function decodeBits(bytes: Uint8Array, allocate = (n: number) => new Uint8Array(n)): Uint8Array {
  const source = byteReader(bytes);
  const length = source.unsigned();
  const packed = decompress(source.rest(), Math.ceil(length / 8));
  const flags = allocate(length);
  let i = 0;
  for (let at = 0; i + 8 <= length; i += 8) {
    const byte = packed[at++]!;
    flags[i] = byte & 1;
    flags[i + 1] = (byte >> 1) & 1;
    flags[i + 2] = (byte >> 2) & 1;
    flags[i + 3] = (byte >> 3) & 1;
    flags[i + 4] = (byte >> 4) & 1;
    flags[i + 5] = (byte >> 5) & 1;
    flags[i + 6] = (byte >> 6) & 1;
    flags[i + 7] = byte >> 7;
  }
  for (; i < length; i++) flags[i] = (packed[i >> 3]! >> (i & 7)) & 1;
  return flags;
}
