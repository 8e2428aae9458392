import { byteReader, type ByteWriter } from "./bytes.ts";
import { sameBits, wordsOf } from "./memory.ts";
import { squeezeInto, unsqueeze } from "./squeeze.ts";

/** Sign, exponent and the first bits of the fraction: the bytes that neighbours share. The rest is mostly noise. */
const HIGH_PLANES = 3;

/**
 * Any doubles: each XOR the one before, then alike bytes together. The five low bytes of measured doubles are noise that
 * no method compresses, but doubles that were made from shorter numbers have nothing there.
 *
 * @param out the encoded values are written to it
 * @returns false, with nothing written, where the values would not come back to the bit
 */
export function encodeShuffled(values: Float64Array, out: ByteWriter): boolean {
  const n = values.length;
  const words = wordsOf(values);
  const planes = new Uint8Array(n * 8);
  let lowBefore = 0;
  let highBefore = 0;
  for (let i = 0; i < n; i++) {
    const low = words[2 * i]! ^ lowBefore;
    const high = words[2 * i + 1]! ^ highBefore;
    lowBefore ^= low;
    highBefore ^= high;
    planes[i] = low;
    planes[n + i] = low >> 8;
    planes[2 * n + i] = low >> 16;
    planes[3 * n + i] = low >> 24;
    planes[4 * n + i] = high;
    planes[5 * n + i] = high >> 8;
    planes[6 * n + i] = high >> 16;
    planes[7 * n + i] = high >> 24;
  }
  const cut = (8 - HIGH_PLANES) * n;
  const rest = planes.subarray(0, cut);
  const top = planes.subarray(cut);
  if (!sameBits(valuesOf(top, rest, n), values)) return false;
  squeezeInto(out, top, "bytes", true);
  squeezeInto(out, rest, "bytes");
  return true;
}

/** @throws DamagedData */
export function decodeShuffled(bytes: Uint8Array, n: number): Float64Array {
  const source = byteReader(bytes);
  const top = unsqueeze(source.block(), HIGH_PLANES * n);
  const rest = unsqueeze(source.rest(), (8 - HIGH_PLANES) * n);
  return valuesOf(top, rest, n);
}

function valuesOf(top: Uint8Array, rest: Uint8Array, n: number): Float64Array {
  const values = new Float64Array(n);
  const words = wordsOf(values);
  let low = 0;
  let high = 0;
  for (let i = 0; i < n; i++) {
    low ^= rest[i]! | (rest[n + i]! << 8) | (rest[2 * n + i]! << 16) | (rest[3 * n + i]! << 24);
    high ^= rest[4 * n + i]! | (top[i]! << 8) | (top[n + i]! << 16) | (top[2 * n + i]! << 24);
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
  return values;
}
