import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DamagedData } from "../errors.ts";
import { bounded, type ByteReader, byteReader, type ByteWriter, byteWriter } from "./bytes.ts";

const STORED = 0;
const ZSTD = 1;

/**
 * Below this size, compression gains too little for its start-up cost (30 µs, as much as encoding a thousand values). A
 * day's times and pyramid blocks are that small, and a chunk has ten of them.
 */
const MIN_BYTES = 256;

/** Higher levels save less than 2 % of satellites, and nothing else. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Returns a byte with the method, and the compressed bytes, or the original ones if compression gains nothing. */
export function compress(raw: Uint8Array): Uint8Array {
  const out = byteWriter(raw.length + 1);
  compressInto(out, raw);
  return out.finish();
}

/** Writes the output of `compress`. */
export function compressInto(out: ByteWriter, raw: Uint8Array): void {
  const packed = raw.length < MIN_BYTES ? raw : zstdCompressSync(raw, FAST);
  const isPacked = packed.length < raw.length;
  out.unsigned(isPacked ? ZSTD : STORED);
  out.bytes(isPacked ? packed : raw);
}

/** @throws DamagedData if the bytes are not the output of `compress`, or have another length than expected */
export function decompress(compressed: Uint8Array, rawLength: number): Uint8Array {
  return unpackBody(compressed[0], compressed.subarray(1), rawLength);
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
  return byteReader(unpackBody(method, source.bytes(length - 1), rawLength));
}

function unpackBody(method: number | undefined, body: Uint8Array, rawLength: number): Uint8Array {
  // Limit the length: damaged bytes must not make the decoder exhaust memory.
  const limit = { maxOutputLength: Math.max(1, bounded(rawLength)) };
  let raw = null;
  try {
    if (method === STORED) raw = body;
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
  compressInto(out, packed);
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
