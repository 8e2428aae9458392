import { DamagedData } from "../errors.ts";
import { compressInto, decodeBits, decompress, encodeBits } from "./compress.ts";
import { type ByteReader, byteReader, type ByteWriter, byteWriter, scratch } from "./bytes.ts";
import { defined } from "#shared/defined.ts";
import { columnKernel, LOW_BYTES } from "./kernel/kernel.ts";

const presentMemory = scratch();
const missingMemory = scratch();
const NOTHING = new Uint8Array(0);

export interface EncodedValues {
  readonly codec: string;
  readonly bytes: Uint8Array;
}

/**
 * Encodes values with the first codec that preserves every bit, which each verifies before compression:
 * - packed: few decimals, as packed differences of whole numbers
 * - split: any doubles, with their nearly constant bits apart from their noise
 *
 * Every NaN is a missing value, whatever its payload; all others, including -0 and infinities, are preserved.
 *
 * @param count number of values that are not NaN, if known
 */
export function encodeScalars(values: Float64Array, count = -1): EncodedValues {
  const missing = count === values.length ? null : missingOf(values);
  const present = missing === null ? values : removeMissing(values, missing);
  const bitmap = missing === null ? NOTHING : encodeBits(missing);
  const begin = (maxBytes: number): ByteWriter => {
    const out = byteWriter(bitmap.length + 24 + maxBytes);
    out.block(bitmap);
    return out;
  };
  return encodeDecimal(present, begin) ?? encodeSplit(present, begin);
}

/** Returns a writer with room for a number of bytes. */
type Begin = (maxBytes: number) => ByteWriter;

/**
 * Decodes the values of the rows before `end`, of `n`. Faster than decoding all if they are packed.
 *
 * @throws DamagedData
 */
export function decodeScalarsBefore(codec: string, bytes: Uint8Array, n: number, end: number): Float64Array {
  const source = byteReader(bytes);
  if (codec !== "packed" || readMissing(source) !== null) return decodeScalars(codec, bytes, n).subarray(0, end);
  const values = new Float64Array(end);
  decodeDecimal(source.rest(), values, n);
  return values;
}

/** @throws DamagedData */
export function decodeScalars(codec: string, bytes: Uint8Array, n: number): Float64Array {
  const values = new Float64Array(n);
  decodeScalarsTo(codec, bytes, values);
  return values;
}

/** Decodes into all of `values`. @throws DamagedData */
export function decodeScalarsTo(codec: string, bytes: Uint8Array, values: Float64Array): void {
  const n = values.length;
  const source = byteReader(bytes);
  const missing = readMissing(source);
  if (missing === null) return decodePresent(codec, source.rest(), values);
  if (missing.length !== n) throw new DamagedData("marks of missing values for another number of rows");
  const present = new Float64Array(presentMemory(n * 8), 0, n - countOnes(missing));
  decodePresent(codec, source.rest(), present);
  for (let i = 0, k = 0; i < n; i++) values[i] = missing[i] === 1 ? Number.NaN : present[k++]!;
}

/**
 * Returns 1 for each row without a value; null if every row has one. Decodes no values. Valid until the next call.
 *
 * @throws DamagedData
 */
export function decodeMissing(bytes: Uint8Array): Uint8Array | null {
  return readMissing(byteReader(bytes));
}

function readMissing(source: ByteReader): Uint8Array | null {
  const bitmap = source.block();
  return bitmap.length === 0 ? null : decodeBits(bitmap, (n) => new Uint8Array(missingMemory(n), 0, n));
}

function decodePresent(codec: string, body: Uint8Array, present: Float64Array): void {
  if (codec === "packed") decodeDecimal(body, present);
  else if (codec === "split") decodeSplit(body, present);
  else throw new DamagedData(`an unknown encoding of numbers: ${codec}`);
}

function missingOf(values: Float64Array): Uint8Array | null {
  let i = 0;
  while (i < values.length && values[i] === values[i]) i++;
  if (i === values.length) return null;
  const missing = new Uint8Array(values.length);
  for (; i < values.length; i++) if (values[i] !== values[i]) missing[i] = 1;
  return missing;
}

function removeMissing(values: Float64Array, missing: Uint8Array): Float64Array {
  const present = new Float64Array(presentMemory(values.byteLength), 0, values.length);
  let n = 0;
  for (let i = 0; i < values.length; i++) if (missing[i] === 0) present[n++] = values[i]!;
  return present.subarray(0, n);
}

function countOnes(flags: Uint8Array): number {
  let n = 0;
  for (let i = 0; i < flags.length; i++) n += flags[i]!;
  return n;
}

/**
 * Encodes any doubles: sign, exponent and the first bits of the fraction as a whole number of 24 bits, as packed
 * differences; the other five bytes separately, each XOR the previous one, grouped by byte. These are mostly
 * incompressible noise, but zero in doubles that were converted from shorter numbers.
 */
function encodeSplit(values: Float64Array, begin: Begin): EncodedValues {
  const { upper, low } = defined(columnKernel().packSplit(values));
  const out = begin(upper.length + low.length);
  out.block(upper);
  compressInto(out, low);
  return { codec: "split", bytes: out.finish() };
}

/** Decodes into all of `values`. @throws DamagedData */
function decodeSplit(bytes: Uint8Array, values: Float64Array): void {
  const source = byteReader(bytes);
  const upper = source.block();
  const low = decompress(source.rest(), values.length * LOW_BYTES);
  if (!columnKernel().unpackSplit({ upper, low }, values)) throw new DamagedData("packed numbers that do not fit");
}

/**
 * Encodes numbers with few decimals, such as 0.1 mm values of a slowly changing delay, as packed differences of whole
 * numbers. A double that is the nearest to q / 10^d is restored exactly by that division, so the encoding is lossless
 * if every value passes that test.
 *
 * @returns null if a value fails (full doubles, -0, very large ones), or a step is too large
 */
function encodeDecimal(values: Float64Array, begin: Begin): EncodedValues | null {
  const packed = columnKernel().packDecimal(values);
  if (packed === null) return null;
  const { decimals, first, differences } = packed;
  const out = begin(differences.length);
  out.unsigned(decimals);
  out.signed(first);
  out.bytes(differences);
  return { codec: "packed", bytes: out.finish() };
}

/**
 * @param values all are written
 * @param total number of encoded values, of which `values` are the first
 * @throws DamagedData
 */
function decodeDecimal(bytes: Uint8Array, values: Float64Array, total = values.length): void {
  const source = byteReader(bytes);
  const packed = { decimals: source.unsigned(), first: source.signed(), differences: source.rest() };
  if (!columnKernel().unpackDecimal(packed, total, values)) throw new DamagedData("packed numbers that do not fit");
}
