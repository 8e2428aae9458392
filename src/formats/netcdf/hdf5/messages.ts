import type { AttributeValue } from "../sink.ts";

// Pieces of object headers as the HDF5 file format specification (version 3) lays them out, chapter IV.A.2.

/** Marks an address that is not there, and a size without a limit. */
export const UNDEFINED = 0xffff_ffff_ffff_ffffn;

/** A message of an object header. */
export interface Message {
  readonly type: number;
  readonly content: Uint8Array;
}

/** A type of values and their layout in a file. */
export type Datatype = Uint8Array;

export const FLOAT32: Datatype = Uint8Array.of(
  0x11,
  0x20,
  0x1f,
  0,
  4,
  0,
  0,
  0,
  0,
  0,
  32,
  0,
  23,
  8,
  0,
  23,
  127,
  0,
  0,
  0,
);
export const FLOAT64: Datatype = Buffer.from("11203f000800000000004000340b0034ff030000", "hex");
export const INT32: Datatype = Uint8Array.of(0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0);
const UINT32: Datatype = Uint8Array.of(0x10, 0, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0);
const REFERENCE: Datatype = Uint8Array.of(0x17, 0, 0, 0, 8, 0, 0, 0);
/** Which dimensions a variable has: a list of references for each of its axes. */
export const REFERENCES: Datatype = Buffer.concat([Uint8Array.of(0x19, 0, 0, 0, 16, 0, 0, 0), REFERENCE]);
/** Which variables have a dimension: sixteen bytes for each, a reference and the number of the axis. */
export const USES: Datatype = Buffer.concat([
  Uint8Array.of(0x36, 2, 0, 0, 16, 0, 0, 0),
  Buffer.from("dataset\0\0", "latin1"),
  REFERENCE,
  Buffer.from("dimension\0\b", "latin1"),
  UINT32,
]);

/** Texts of one width in bytes, which end before it where a zero does. */
export function text(width: number, isUtf8: boolean): Datatype {
  return Buffer.concat([Uint8Array.of(0x13, isUtf8 ? 0x10 : 0, 0, 0), u32(width)]);
}

/** Texts of any length, each of them a `heapReference`. */
export const TEXTS: Datatype = Buffer.concat([Uint8Array.of(0x19, 1, 1, 0, 16, 0, 0, 0), text(1, true)]);

/** Where a list or a text of so many elements lies. */
export function heapReference(elements: number, heap: number, entry: number): Uint8Array {
  return Buffer.concat([u32(elements), u64(heap), u32(entry)]);
}

/** A single value. */
export const SCALAR = Uint8Array.of(2, 0, 0, 0);

/** @param most sizes to which the axes may grow; as many as there are, or none */
export function simple(sizes: readonly number[], most: readonly (number | null)[] = []): Uint8Array {
  if (sizes.length === 0) return SCALAR;
  const limits = most.map((size) => (size === null ? u64(UNDEFINED) : u64(size)));
  return Buffer.concat([
    Uint8Array.of(2, sizes.length, limits.length > 0 ? 1 : 0, 1),
    ...sizes.map((size) => u64(size)),
    ...limits,
  ]);
}

export function dataspace(content: Uint8Array): Message {
  return { type: 1, content };
}

export function datatype(content: Datatype): Message {
  return { type: 3, content };
}

/**
 * What is read where no one wrote: who adds to the file later may leave cells out. Space is taken when something is
 * written.
 *
 * @param value bytes of one element; zeros where it is empty
 */
export function fillValue(isChunked: boolean, value: Uint8Array): Message {
  const head = Uint8Array.of(2, isChunked ? 3 : 2, 2, 1);
  return { type: 5, content: Buffer.concat([head, u32(value.length), value]) };
}

export function contiguous(address: number | bigint, bytes: number): Message {
  return { type: 8, content: Buffer.concat([Uint8Array.of(3, 1), u64(address), u64(bytes)]) };
}

/** @param lengths of a chunk along each axis, the bytes of an element being one too */
export function chunked(index: bigint, lengths: readonly number[]): Message {
  const head = Uint8Array.of(3, 2, lengths.length);
  return { type: 8, content: Buffer.concat([head, u64(index), ...lengths.map((length) => u32(length))]) };
}

/** Shuffle and then deflate, in version 1, as it was before HDF5 1.8: every reader knows it. */
export function shuffledAndDeflated(elementBytes: number, level: number): Message {
  return {
    type: 11,
    content: Buffer.concat([Uint8Array.of(1, 2, 0, 0, 0, 0, 0, 0), filter(2, elementBytes), filter(1, level)]),
  };
}

/** Without a name, not to be done without, with one parameter. */
function filter(id: number, parameter: number): Uint8Array {
  return Uint8Array.of(id, 0, 0, 0, 0, 0, 1, 0, parameter, 0, 0, 0, 0, 0, 0, 0);
}

export function attribute(name: string, type: Datatype, space: Uint8Array, data: Uint8Array): Message {
  const ended = Buffer.from(`${name}\0`, "latin1");
  const head = Buffer.concat([Uint8Array.of(3, 0), u16(ended.length), u16(type.length), u16(space.length)]);
  return { type: 12, content: Buffer.concat([head, Uint8Array.of(0), ended, type, space, data]) };
}

/** A number as one double, whole numbers as they are, a text. */
export function plainAttribute(name: string, value: AttributeValue): Message {
  if (typeof value === "number") return attribute(name, FLOAT64, simple([1]), bytesOf(Float64Array.of(value)));
  if (typeof value !== "string") return attribute(name, INT32, simple([value.length]), bytesOf(value));
  const bytes = Buffer.from(value);
  return attribute(name, text(bytes.length, bytes.length > value.length), SCALAR, bytes);
}

/** A link to another object of the file, the `order`th of its group. */
export function link(name: string, order: number, address: number): Message {
  const bytes = Buffer.from(name, "latin1");
  return {
    type: 6,
    content: Buffer.concat([Uint8Array.of(1, 4), u64(order), Uint8Array.of(bytes.length), bytes, u64(address)]),
  };
}

/** That attributes lie in the header, in the order in which they were made. */
export function attributeInfo(count: number): Message {
  return { type: 21, content: Buffer.concat([Uint8Array.of(0, 3), u16(count), NOWHERE]) };
}

/** The same of links. */
export function linkInfo(count: number): Message {
  return { type: 2, content: Buffer.concat([Uint8Array.of(0, 3), u64(count), NOWHERE]) };
}

/** So many links may lie in the header of a group, instead of in an index of their own. */
export function groupInfo(): Message {
  return { type: 10, content: Uint8Array.of(0, 1, 0xff, 0xff, 0, 0) };
}

export function bytesOf(values: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

export function u16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: number | bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** Where the indexes of many attributes or links would be. */
const NOWHERE = Buffer.concat([u64(UNDEFINED), u64(UNDEFINED), u64(UNDEFINED)]);
