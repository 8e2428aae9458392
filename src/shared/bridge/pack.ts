/**
 * Messages as bytes, for channels that carry nothing else: the length of the JSON part, the JSON with typed arrays
 * replaced by references, and the arrays themselves, each at a multiple of 8 bytes. Byte order is that of both ends,
 * which are the same kind of machine everywhere a browser runs (little-endian).
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

/** A key that no message of the contract has. */
const REFERENCE = "$array";
const HEAD_BYTES = 8;

interface Reference {
  readonly [REFERENCE]: ArrayName;
  readonly at: number;
  readonly length: number;
}

export function pack(message: unknown): Uint8Array<ArrayBuffer> {
  const arrays: { readonly array: Packed; readonly at: number }[] = [];
  let end = 0;
  const json = JSON.stringify(message, (_key, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const name = value.constructor.name as ArrayName;
    if (!(name in ARRAYS)) throw new TypeError(`${name} cannot be packed`);
    const array = value as Packed;
    const reference: Reference = { [REFERENCE]: name, at: end, length: array.length };
    arrays.push({ array, at: end });
    end += aligned(array.byteLength);
    return reference;
  });
  const text = new TextEncoder().encode(json);
  const start = HEAD_BYTES + aligned(text.length);
  const bytes = new Uint8Array(start + end);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, HEAD_BYTES);
  for (const { array, at } of arrays)
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + at);
  return bytes;
}

/** @throws where the bytes are no packed message */
export function unpack(bytes: Uint8Array<ArrayBuffer>): unknown {
  // Typed arrays need their place aligned: a view into the middle of something is copied once.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const length = new DataView(whole.buffer, whole.byteOffset, whole.byteLength).getUint32(0, true);
  if (HEAD_BYTES + length > whole.length) throw new RangeError("a message that is cut off");
  const text = new TextDecoder().decode(whole.subarray(HEAD_BYTES, HEAD_BYTES + length));
  const start = whole.byteOffset + HEAD_BYTES + aligned(length);
  return JSON.parse(text, (_key, value: unknown) => {
    if (!isReference(value)) return value;
    const array = ARRAYS[value[REFERENCE]];
    return new array(whole.buffer, start + value.at, value.length);
  });
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && REFERENCE in value;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
