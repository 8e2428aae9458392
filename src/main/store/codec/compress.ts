import { constants, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { isNoise } from "#shared/noise.ts";
import { DamagedData } from "../errors.ts";
import { bounded, type ByteReader, byteReader, type ByteWriter } from "./bytes.ts";

/**
 * How bytes are compressed, by what they are like:
 * - noise: small differences without repeats. Huffman codes and runs only: nearest to the entropy, and the fastest.
 * - pattern: short, regular (bitmaps).
 * - bytes: of doubles. Some are noise that nothing compresses, which this notices at once; quick to decode.
 * - text: repeats over long distances.
 */
export type Likeness = "noise" | "pattern" | "bytes" | "text";

const STORED = 0;
const DEFLATED = 1;
const ZSTD = 2;

/**
 * Below this many bytes a compressor gains too little for what starting it costs (30 µs, as much as writing a thousand
 * values): a day's times and the blocks of its pyramid are that small, and there are ten of them in a chunk.
 */
const TINY: Readonly<Record<Likeness, number>> = { noise: 64, pattern: 512, bytes: 64, text: 256 };

const noise = { level: 1, strategy: constants.Z_RLE, memLevel: 6 };
const pattern = { level: 1, memLevel: 6 };
const bytes = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const text = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** One byte that tells the method, then the bytes; stored as they are where compression gains nothing. */
export function compress(raw: Uint8Array, likeness: Likeness): Uint8Array {
  const packed = pack(raw, likeness);
  const body = packed ?? raw;
  const out = new Uint8Array(body.length + 1);
  out[0] = packed === null ? STORED : methodOf(likeness);
  out.set(body, 1);
  return out;
}

/** Writes what `compress` gives, without a copy in between; with its length before it where `asBlock` says so. */
export function compressInto(out: ByteWriter, raw: Uint8Array, likeness: Likeness, asBlock = false): void {
  const packed = pack(raw, likeness);
  const body = packed ?? raw;
  if (asBlock) out.unsigned(body.length + 1);
  out.unsigned(packed === null ? STORED : methodOf(likeness));
  out.bytes(body);
}

function methodOf(likeness: Likeness): number {
  return likeness === "text" || likeness === "bytes" ? ZSTD : DEFLATED;
}

/** null where nothing is gained. */
function pack(raw: Uint8Array, likeness: Likeness): Uint8Array | null {
  if (raw.length < TINY[likeness]) return null;
  if (likeness === "bytes" && isNoise(raw)) return null;
  const packed =
    methodOf(likeness) === ZSTD
      ? zstdCompressSync(raw, likeness === "text" ? text : bytes)
      : deflateRawSync(raw, likeness === "noise" ? noise : pattern);
  return packed.length < raw.length ? packed : null;
}

/** @throws DamagedData where the bytes are no longer what `compress` gave, or not of the expected length */
export function decompress(compressed: Uint8Array, rawLength: number): Uint8Array {
  return unpack(compressed[0], compressed.subarray(1), rawLength);
}

/**
 * What `compressInto` wrote, as a reader of the bytes themselves: where they are stored as they are, that of the source,
 * since most blocks are so small that to cut them out would take longer than to read them.
 *
 * @param length of what was written, in bytes
 * @throws DamagedData
 */
export function decompressed(source: ByteReader, length: number, rawLength: number): ByteReader {
  const method = source.unsigned();
  if (method === STORED) return source;
  return byteReader(unpack(method, source.bytes(length - 1), rawLength));
}

function unpack(method: number | undefined, body: Uint8Array, rawLength: number): Uint8Array {
  // The length is known: a damaged head must not make the decoder fill the memory.
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
