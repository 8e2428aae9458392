import { byteReader } from "./bytes.ts";
import { wordsOf } from "./memory.ts";
import { decompress } from "./compress.ts";

/** Sign, exponent and the first bits of the fraction: the bytes that neighbours share. The rest is mostly noise. */
const HIGH_PLANES = 3;

/** Any doubles as version 0.1 wrote them into all of `values`: each XOR the one before, then alike bytes together. @throws DamagedData */
export function decodeShuffled(bytes: Uint8Array, values: Float64Array): void {
  const n = values.length;
  const source = byteReader(bytes);
  const top = decompress(source.block(), HIGH_PLANES * n);
  const rest = decompress(source.rest(), (8 - HIGH_PLANES) * n);
  const words = wordsOf(values);
  let low = 0;
  let high = 0;
  for (let i = 0; i < n; i++) {
    low ^= rest[i]! | (rest[n + i]! << 8) | (rest[2 * n + i]! << 16) | (rest[3 * n + i]! << 24);
    high ^= rest[4 * n + i]! | (top[i]! << 8) | (top[n + i]! << 16) | (top[2 * n + i]! << 24);
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
}
