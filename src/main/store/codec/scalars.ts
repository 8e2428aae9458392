import { DamagedData } from "../errors.ts";
import { decodeBits, encodeBits } from "./bits.ts";
import { type ByteReader, byteReader, byteWriter, type Encoding } from "./bytes.ts";
import { decodeDecimal, decodeDeflated, encodeDecimal } from "./decimal.ts";
import { bytesOf, doublesOf, scratch, wordsOf } from "./memory.ts";
import { decompress, compressInto } from "./compress.ts";
import { columnKernel, LOW_BYTES } from "./kernel/kernel.ts";

/** Sign, exponent and the first bits of the fraction: the bytes that neighbours share. The rest is mostly noise. */
const HIGH_PLANES = 3;

/** Any doubles as version 0.1 wrote them into all of `values`: each XOR the one before, then alike bytes together. @throws DamagedData */
function decodeShuffled(bytes: Uint8Array, values: Float64Array): void {
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

/**
 * - empty: no row has a value
 * - constant: all values are the same
 * - packed: few decimals, as packed differences of whole numbers
 * - split: any doubles, what changes little apart from what is noise
 * - plain: eight bytes each
 * - decimal, shuffled: what is now packed and split, as earlier versions wrote it
 */
export type ScalarCodec = "empty" | "constant" | "packed" | "split" | "plain";

const keptMemory = scratch();
const missingMemory = scratch();
const NOTHING = new Uint8Array(0);

export interface EncodedValues<C extends string> {
  readonly codec: C;
  readonly bytes: Uint8Array;
}

/**
 * The first of the codecs that gives back every bit: each checks that by taking its own numbers back, before they are
 * compressed. NaN is no value, whatever its payload; the others, -0 and infinities included, come back as they were.
 *
 * @param count how many are a value, where that is known
 */
export function encodeScalars(values: Float64Array, count = -1): EncodedValues<ScalarCodec> {
  const missing = count === values.length ? null : missingOf(values);
  const kept = missing === null ? values : without(values, missing);
  const bitmap = missing === null ? NOTHING : encodeBits(missing);
  const { codec, encoding } = encodeKept(kept);
  const out = byteWriter(bitmap.length + 8 + encoding.room);
  out.block(bitmap);
  encoding.writeTo(out);
  return { codec, bytes: out.finish() };
}

/** The values of the rows before `end`, of `n`: quicker than all of them where they are packed. @throws DamagedData */
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

/** The same into `values`, all of them. @throws DamagedData */
export function decodeScalarsTo(codec: string, bytes: Uint8Array, values: Float64Array): void {
  const n = values.length;
  const source = byteReader(bytes);
  const missing = readMissing(source);
  if (missing === null) return decodeKept(codec, source.rest(), values);
  if (missing.length !== n) throw new DamagedData("values without rows");
  const kept = new Float64Array(keptMemory(n * 8), 0, n - ones(missing));
  decodeKept(codec, source.rest(), kept);
  for (let i = 0, k = 0; i < n; i++) values[i] = missing[i] === 1 ? Number.NaN : kept[k++]!;
}

/** 1 for each row without a value, null where all have one: known without decoding any. Good until the next call. @throws DamagedData */
export function decodeMissing(bytes: Uint8Array): Uint8Array | null {
  return readMissing(byteReader(bytes));
}

function readMissing(source: ByteReader): Uint8Array | null {
  const bitmap = source.block();
  return bitmap.length === 0 ? null : decodeBits(bitmap, (n) => new Uint8Array(missingMemory(n), 0, n));
}

function encodeKept(kept: Float64Array): { readonly codec: ScalarCodec; readonly encoding: Encoding } {
  if (kept.length === 0) return { codec: "empty", encoding: asTheyAre(kept) };
  if (isConstant(kept)) return { codec: "constant", encoding: asTheyAre(kept.subarray(0, 1)) };
  const decimal = encodeDecimal(kept);
  if (decimal) return { codec: "packed", encoding: decimal };
  const split = encodeSplit(kept);
  if (split) return { codec: "split", encoding: split };
  return { codec: "plain", encoding: asTheyAre(kept) };
}

function asTheyAre(values: Float64Array): Encoding {
  return { room: values.byteLength, writeTo: (out) => out.bytes(bytesOf(values)) };
}

function decodeKept(codec: string, body: Uint8Array, kept: Float64Array): void {
  if (codec === "empty") demandCount(0, kept);
  else if (codec === "constant") kept.fill(doublesOf(body)[0] ?? Number.NaN);
  else if (codec === "packed") decodeDecimal(body, kept);
  else if (codec === "split") decodeSplit(body, kept);
  else if (codec === "decimal") decodeDeflated(body, kept);
  else if (codec === "shuffled") decodeShuffled(body, kept);
  else if (codec === "plain") {
    const plain = doublesOf(body);
    demandCount(plain.length, kept);
    kept.set(plain);
  } else throw new DamagedData(`an unknown encoding of numbers: ${codec}`);
}

function demandCount(count: number, kept: Float64Array): void {
  if (count !== kept.length) throw new DamagedData("values without rows");
}

function missingOf(values: Float64Array): Uint8Array | null {
  let i = 0;
  while (i < values.length && values[i] === values[i]) i++;
  if (i === values.length) return null;
  const missing = new Uint8Array(values.length);
  for (; i < values.length; i++) if (values[i] !== values[i]) missing[i] = 1;
  return missing;
}

function without(values: Float64Array, missing: Uint8Array): Float64Array {
  const kept = new Float64Array(keptMemory(values.byteLength), 0, values.length);
  return kept.subarray(0, copyWithout(values, missing, kept));
}

function copyWithout(values: Float64Array, missing: Uint8Array, kept: Float64Array): number {
  let n = 0;
  for (let i = 0; i < values.length; i++) if (missing[i] === 0) kept[n++] = values[i]!;
  return n;
}

function ones(flags: Uint8Array): number {
  let n = 0;
  for (let i = 0; i < flags.length; i++) n += flags[i]!;
  return n;
}

function isConstant(values: Float64Array): boolean {
  const first = values[0]!;
  for (let i = 1; i < values.length; i++) if (!Object.is(values[i], first)) return false;
  return true;
}

/**
 * Any doubles: sign, exponent and the first bits of the fraction as a whole number of 24 bits, of which the differences
 * are packed; the other five bytes apart, each XOR the one before, alike ones together. These are mostly noise that no
 * method compresses, but doubles that were made from shorter numbers have nothing there.
 *
 * @returns null where the values would not come back to the bit
 */
function encodeSplit(values: Float64Array): Encoding | null {
  const packed = columnKernel().packSplit(values);
  if (packed === null) return null;
  const { upper, low } = packed;
  return {
    room: upper.length + low.length + 16,
    writeTo(out) {
      out.block(upper);
      compressInto(out, low, "bytes");
    },
  };
}

/** @param values are written, all of them @throws DamagedData */
function decodeSplit(bytes: Uint8Array, values: Float64Array): void {
  const source = byteReader(bytes);
  const upper = source.block();
  const low = decompress(source.rest(), values.length * LOW_BYTES);
  if (!columnKernel().unpackSplit({ upper, low }, values)) throw new DamagedData("packed numbers that do not fit");
}
