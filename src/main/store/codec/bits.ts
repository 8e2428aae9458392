import { byteReader, byteWriter } from "./bytes.ts";
import { compressInto, decompress } from "./compress.ts";

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
