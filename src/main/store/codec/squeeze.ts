import { constants, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DamagedData } from "../errors.ts";

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
const TINY: Readonly<Record<Likeness, number>> = { noise: 64, pattern: 64, bytes: 64, text: 256 };

const noise = { level: 1, strategy: constants.Z_RLE, memLevel: 6 };
const pattern = { level: 1, memLevel: 6 };
const bytes = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const text = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** One byte that tells the method, then the bytes; stored as they are where compression gains nothing. */
export function squeeze(raw: Uint8Array, likeness: Likeness): Uint8Array {
  if (raw.length >= TINY[likeness]) {
    const zstd = likeness === "text" || likeness === "bytes";
    const packed = zstd
      ? zstdCompressSync(raw, likeness === "text" ? text : bytes)
      : deflateRawSync(raw, likeness === "noise" ? noise : pattern);
    if (packed.length < raw.length) return tagged(zstd ? ZSTD : DEFLATED, packed);
  }
  return tagged(STORED, raw);
}

/** @throws DamagedData where the bytes are no longer what `squeeze` gave, or not of the expected length */
export function unsqueeze(squeezed: Uint8Array, rawLength: number): Uint8Array {
  const raw = unpack(squeezed, rawLength);
  if (raw.length !== rawLength) throw new DamagedData(`${raw.length} bytes where ${rawLength} were expected`);
  return raw;
}

function unpack(squeezed: Uint8Array, rawLength: number): Uint8Array {
  const body = squeezed.subarray(1);
  // The length is known: a damaged head must not make the decoder fill the memory.
  const limit = { maxOutputLength: Math.max(1, rawLength) };
  try {
    if (squeezed[0] === STORED) return body;
    if (squeezed[0] === DEFLATED) return inflateRawSync(body, limit);
    if (squeezed[0] === ZSTD) return zstdDecompressSync(body, limit);
  } catch (cause) {
    throw new DamagedData("compressed bytes that cannot be read", { cause });
  }
  throw new DamagedData(`an unknown compression: ${squeezed[0]}`);
}

function tagged(tag: number, bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + 1);
  out[0] = tag;
  out.set(bytes, 1);
  return out;
}
