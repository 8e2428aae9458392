import { byteReader, type ByteWriter } from "./bytes.ts";
import { sameBits, scratch } from "./memory.ts";
import { MOST_BITS, packBits, packedRoom, unpackBits } from "./packed.ts";
import { unsqueeze } from "./squeeze.ts";

const MAX_DECIMALS = 5;
/** Scaled values stay below this, so that a difference of two fits a signed 32-bit integer. */
const MAX_SCALED = 2 ** 30;
const wholesMemory = scratch();
const packedMemory = scratch();
const checkMemory = scratch();

const POWERS = Array.from({ length: MAX_DECIMALS + 1 }, (_, d) => 10 ** d);

/**
 * Numbers that were written with few decimals, as packed differences of whole numbers: what 0.1 mm values of a slowly
 * changing delay are. A double that is the nearest one to q / 10^d comes back exactly by that division, so the encoding
 * is lossless where every value passes that test.
 *
 * @param out the encoded values are written to it
 * @returns false, with nothing written, where some value does not (full doubles, -0, very large ones), or leaps too far
 */
export function encodeDecimal(values: Float64Array, out: ByteWriter): boolean {
  const found = packed(values);
  if (found === null || !comesBack(found, values)) return false;
  out.unsigned(found.decimals);
  out.signed(found.first);
  out.bytes(found.differences);
  return true;
}

interface Packed {
  readonly decimals: number;
  readonly first: number;
  /** Written over by the next call. */
  readonly differences: Uint8Array;
}

// Steps apart from the loops below: V8 takes a loop into the function that calls it, and leaves it there half compiled.

function packed(values: Float64Array): Packed | null {
  const n = values.length;
  const wholes = new Int32Array(wholesMemory(n * 4), 0, n);
  const decimals = scaleAll(values, wholes);
  if (decimals === null) return null;
  // The first difference would make others wide: its value is kept apart.
  const first = n > 0 ? wholes[0]! : 0;
  if (toDifferences(wholes, first) >>> 0 >= 2 ** MOST_BITS) return null;
  const room = packedRoom(n);
  const target = new Uint8Array(packedMemory(room), 0, room);
  return { decimals, first, differences: target.subarray(0, packBits(wholes, target)) };
}

function comesBack({ decimals, first, differences }: Packed, values: Float64Array): boolean {
  const check = new Float64Array(checkMemory(values.byteLength), 0, values.length);
  sumUp(differences, values.length, first, POWERS[decimals]!, check);
  return sameBits(check, values);
}

/**
 * @param values are written, all of them
 * @param total how many were encoded, where `values` are only the first of them
 * @throws DamagedData
 */
export function decodeDecimal(bytes: Uint8Array, values: Float64Array, total = values.length): void {
  const source = byteReader(bytes);
  const scale = POWERS[source.unsigned()] ?? Number.NaN;
  const first = source.signed();
  sumUp(source.rest(), total, first, scale, values);
}

/** In place of each number its zigzag difference to the one before; returns the bits that any of them has. */
function toDifferences(wholes: Int32Array, first: number): number {
  let before = first;
  let all = 0;
  for (let i = 0; i < wholes.length; i++) {
    const whole = wholes[i]!;
    const difference = whole - before;
    const zigzag = (difference << 1) ^ (difference >> 31);
    wholes[i] = zigzag;
    all |= zigzag;
    before = whole;
  }
  return all;
}

function sumUp(bytes: Uint8Array, total: number, first: number, scale: number, values: Float64Array): void {
  const n = values.length;
  const zigzags = new Int32Array(wholesMemory(n * 4), 0, n);
  unpackBits(bytes, zigzags, total);
  let scaled = first;
  for (let i = 0; i < n; i++) {
    const zigzag = zigzags[i]!;
    scaled += (zigzag >>> 1) ^ -(zigzag & 1);
    values[i] = scaled / scale;
  }
}

/** The same as earlier versions wrote it: the bytes of the differences, compressed. @throws DamagedData */
export function decodeDeflated(bytes: Uint8Array, values: Float64Array): void {
  const n = values.length;
  const source = byteReader(bytes);
  const scale = POWERS[source.unsigned()] ?? Number.NaN;
  let scaled = source.signed();
  const width = source.unsigned();
  const raw = unsqueeze(source.rest(), n * width);
  for (let i = 0; i < n; i++) {
    let zigzag = raw[i]!;
    for (let byte = 1; byte < width; byte++) zigzag |= raw[byte * n + i]! << (8 * byte);
    scaled += (zigzag >>> 1) ^ -(zigzag & 1);
    values[i] = scaled / scale;
  }
}

/**
 * Writes the values times 10^d, for the smallest d that makes whole numbers of all of them, and returns d; null where
 * there is none.
 */
function scaleAll(values: Float64Array, wholes: Int32Array): number | null {
  let decimals = 0;
  let scale = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    let whole = Math.round(value * scale);
    if (whole / scale !== value) {
      do {
        if (decimals === MAX_DECIMALS) return null;
        scale = POWERS[++decimals]!;
        whole = Math.round(value * scale);
      } while (whole / scale !== value);
      // What has d decimals has d + 1 as well: those before only need their new size.
      for (let k = 0; k < i; k++) {
        const again = Math.round(values[k]! * scale);
        if (!(Math.abs(again) < MAX_SCALED)) return null;
        wholes[k] = again;
      }
    }
    if (!(Math.abs(whole) < MAX_SCALED) || (whole === 0 && Object.is(value, -0))) return null;
    wholes[i] = whole;
  }
  return decimals;
}
