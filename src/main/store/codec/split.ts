import { byteReader, type ByteWriter } from "./bytes.ts";
import { sameBits, scratch, wordsOf } from "./memory.ts";
import { packBits, packedRoom, unpackBits } from "./packed.ts";
import { squeezeInto, unsqueeze } from "./squeeze.ts";

/** Bytes of a double that measured values fill with noise; the three above them change little from row to row. */
const LOW_BYTES = 5;

const upperMemory = scratch();
const packedMemory = scratch();
const lowMemory = scratch();
const checkMemory = scratch();

/**
 * Any doubles: sign, exponent and the first bits of the fraction as a whole number of 24 bits, of which the differences
 * are packed; the other five bytes apart, each XOR the one before, alike ones together. These are mostly noise that no
 * method compresses, but doubles that were made from shorter numbers have nothing there.
 *
 * @param out the encoded values are written to it
 * @returns false, with nothing written, where the values would not come back to the bit
 */
export function encodeSplit(values: Float64Array, out: ByteWriter): boolean {
  const n = values.length;
  const words = wordsOf(values);
  const upper = new Int32Array(upperMemory(n * 4), 0, n);
  const low = new Uint8Array(lowMemory(n * LOW_BYTES), 0, n * LOW_BYTES);
  let lowBefore = 0;
  let highBefore = 0;
  for (let i = 0; i < n; i++) {
    const lowWord = words[2 * i]!;
    const highWord = words[2 * i + 1]!;
    const difference = (highWord >>> 8) - (highBefore >>> 8);
    upper[i] = (difference << 1) ^ (difference >> 31);
    const changed = lowWord ^ lowBefore;
    low[i] = changed;
    low[n + i] = changed >> 8;
    low[2 * n + i] = changed >> 16;
    low[3 * n + i] = changed >> 24;
    low[4 * n + i] = highWord ^ highBefore;
    lowBefore = lowWord;
    highBefore = highWord;
  }
  const room = packedRoom(n);
  const target = new Uint8Array(packedMemory(room), 0, room);
  const packed = target.subarray(0, packBits(upper, target));
  if (!sameBits(joinInto(new Float64Array(checkMemory(n * 8), 0, n), packed, low), values)) return false;
  out.block(packed);
  squeezeInto(out, low, "bytes");
  return true;
}

/** @param values are written, all of them @throws DamagedData */
export function decodeSplit(bytes: Uint8Array, values: Float64Array): void {
  const source = byteReader(bytes);
  const packed = source.block();
  joinInto(values, packed, unsqueeze(source.rest(), values.length * LOW_BYTES));
}

function joinInto(values: Float64Array, packed: Uint8Array, low: Uint8Array): Float64Array {
  const n = values.length;
  const words = wordsOf(values);
  const upper = new Int32Array(upperMemory(n * 4), 0, n);
  unpackBits(packed, upper);
  let upperBits = 0;
  let lowWord = 0;
  let middle = 0;
  for (let i = 0; i < n; i++) {
    upperBits += (upper[i]! >>> 1) ^ -(upper[i]! & 1);
    lowWord ^= low[i]! | (low[n + i]! << 8) | (low[2 * n + i]! << 16) | (low[3 * n + i]! << 24);
    middle ^= low[4 * n + i]!;
    words[2 * i] = lowWord;
    words[2 * i + 1] = (upperBits << 8) | middle;
  }
  return values;
}
