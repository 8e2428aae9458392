import { bytesOf } from "../../arrays.ts";

/**
 * Messages as bytes, for channels that carry only bytes: the length of the JSON part, the JSON with typed arrays
 * replaced by references, and the arrays themselves, each aligned to 8 bytes. Numbers that JSON lacks (NaN, infinities,
 * -0) are written by name. Arrays are little-endian, as on every platform of Electron and browsers.
 */
const ARRAYS = {
  Float64Array,
  Float32Array,
  Uint32Array,
  Int32Array,
  Uint16Array,
  Uint8Array,
} as const;
type ArrayName = keyof typeof ARRAYS;
type Packed = InstanceType<(typeof ARRAYS)[ArrayName]>;

const NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
  "-0": -0,
};

// Keys that no message of the contract has.
const ARRAY = "$array";
const NUMBER = "$number";
const HEAD_BYTES = 8;

interface Reference {
  readonly [ARRAY]: ArrayName;
  readonly at: number;
  readonly length: number;
}

/** Encodes a message. @throws TypeError for big integers and other types of typed arrays */
export function pack(message: unknown): Uint8Array<ArrayBuffer> {
  const arrays: { readonly array: Packed; readonly at: number }[] = [];
  let end = 0;
  const json = JSON.stringify(message, (_key, value: unknown) => {
    if (typeof value === "number") return isPlain(value) ? value : { [NUMBER]: numberName(value) };
    if (!ArrayBuffer.isView(value)) return value;
    const name = value.constructor.name;
    if (!isArrayName(name)) throw new TypeError(`${name} cannot be packed`);
    const array = value as Packed;
    const reference: Reference = { [ARRAY]: name, at: end, length: array.length };
    arrays.push({ array, at: end });
    end += aligned(array.byteLength);
    return reference;
  });
  const text = new TextEncoder().encode(json);
  const start = HEAD_BYTES + aligned(text.length);
  const bytes = new Uint8Array(start + end);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, HEAD_BYTES);
  for (const { array, at } of arrays) bytes.set(bytesOf(array), start + at);
  return bytes;
}

/**
 * Decodes a message. Its arrays are views into the bytes, or into one copy of them.
 *
 * @throws if the bytes are not a packed message
 */
export function unpack(bytes: Uint8Array<ArrayBuffer>): unknown {
  // Typed arrays need an aligned offset: an unaligned message is copied.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const length = new DataView(whole.buffer, whole.byteOffset, whole.byteLength).getUint32(0, true);
  if (HEAD_BYTES + length > whole.length) throw new RangeError("a message that is cut off");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(whole.subarray(HEAD_BYTES, HEAD_BYTES + length));
  const arrays = whole.subarray(Math.min(whole.length, HEAD_BYTES + aligned(length)));
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if (Object.hasOwn(value, ARRAY)) return arrayOf(arrays, value as Reference);
    if (Object.hasOwn(value, NUMBER)) return namedNumber((value as { readonly [NUMBER]: string })[NUMBER]);
    return value;
  });
}

function arrayOf(bytes: Uint8Array<ArrayBuffer>, { [ARRAY]: name, at, length }: Reference): Packed {
  if (!isArrayName(name)) throw new TypeError("an array of an unknown type");
  const isValid = Number.isSafeInteger(at) && Number.isSafeInteger(length) && at >= 0 && length >= 0;
  if (!isValid || at % 8 !== 0 || at + length * ARRAYS[name].BYTES_PER_ELEMENT > bytes.length)
    throw new RangeError("an array outside its message");
  return new ARRAYS[name](bytes.buffer, bytes.byteOffset + at, length);
}

function namedNumber(name: string): number {
  const number = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
  if (number === undefined) throw new TypeError("a number of an unknown name");
  return number;
}

function numberName(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function isArrayName(name: unknown): name is ArrayName {
  return typeof name === "string" && Object.hasOwn(ARRAYS, name);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
