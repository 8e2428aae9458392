import { bytesOf } from "#shared/arrays.ts";
import { type Attributes, type AttributeValue, withoutNul } from "../sink.ts";

// Messages of object headers: chapter IV.A.2 of the HDF5 file format specification, version 3.

/** An undefined address, or an unlimited size. */
export const UNDEFINED = 0xffff_ffff_ffff_ffffn;

export interface Message {
  readonly type: number;
  readonly content: Uint8Array;
}

/** An encoded datatype message. */
export type Datatype = Uint8Array;

export const FLOAT32: Datatype = Buffer.from("11201f000400000000002000170800177f000000", "hex");
export const FLOAT64: Datatype = Buffer.from("11203f000800000000004000340b0034ff030000", "hex");
export const INT32: Datatype = Uint8Array.of(0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0);
const UINT32: Datatype = Uint8Array.of(0x10, 0, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0);
const REFERENCE: Datatype = Uint8Array.of(0x17, 0, 0, 0, 8, 0, 0, 0);
/** Variable-length list of object references: the dimensions of an axis. */
export const REFERENCE_LIST: Datatype = Buffer.concat([Uint8Array.of(0x19, 0, 0, 0, 16, 0, 0, 0), REFERENCE]);
/** Compound of an object reference and an axis number: a use of a dimension by a variable. */
export const DIMENSION_USE: Datatype = Buffer.concat([
  Uint8Array.of(0x36, 2, 0, 0, 16, 0, 0, 0),
  Buffer.from("dataset\0\0", "latin1"),
  REFERENCE,
  Buffer.from("dimension\0\b", "latin1"),
  UINT32,
]);

/** Text of a fixed width in bytes, padded with NUL. */
export function fixedText(width: number, isUtf8: boolean): Datatype {
  return Buffer.concat([Uint8Array.of(0x13, isUtf8 ? 0x10 : 0, 0, 0), u32(width)]);
}

/**
 * Refers to a list or text in a global heap.
 *
 * @param heap address
 * @param entry its number in the heap
 */
export function heapReference(elements: number, heap: number, entry: number): Uint8Array {
  return Buffer.concat([u32(elements), u64(heap), u32(entry)]);
}

/** Dataspace of a single value. */
export const SCALAR = Uint8Array.of(2, 0, 0, 0);

/**
 * Dataspace of an array.
 *
 * @param maxSizes of all axes, with null for an unlimited one; empty if all are fixed
 */
export function simple(sizes: readonly number[], maxSizes: readonly (number | null)[] = []): Uint8Array {
  if (sizes.length === 0) return SCALAR;
  const limits = maxSizes.map((size) => (size === null ? u64(UNDEFINED) : u64(size)));
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
 * The fill value of cells that were never written, for example after another program has extended the variable. HDF5
 * allocates space at the first write.
 *
 * @param value bytes of one element; empty for zeros
 */
export function fillValue(isChunked: boolean, value: Uint8Array): Message {
  const head = Uint8Array.of(2, isChunked ? 3 : 2, 2, 1);
  return { type: 5, content: Buffer.concat([head, u32(value.length), value]) };
}

export function contiguous(address: number | bigint, bytes: number): Message {
  return { type: 8, content: Buffer.concat([Uint8Array.of(3, 1), u64(address), u64(bytes)]) };
}

/** @param lengths of a chunk along each axis, followed by the bytes of an element */
export function chunked(index: bigint, lengths: readonly number[]): Message {
  const head = Uint8Array.of(3, 2, lengths.length);
  return { type: 8, content: Buffer.concat([head, u64(index), ...lengths.map((length) => u32(length))]) };
}

/** Shuffle, then deflate, in version 1 of the message, which every reader supports. */
export function shuffledAndDeflated(elementBytes: number, level: number): Message {
  return filters([filter(2, elementBytes), filter(1, level)]);
}

export function deflated(level: number): Message {
  return filters([filter(1, level)]);
}

function filters(all: readonly Uint8Array[]): Message {
  return { type: 11, content: Buffer.concat([Uint8Array.of(1, all.length, 0, 0, 0, 0, 0, 0), ...all]) };
}

/** A mandatory filter without a name, with one parameter. */
function filter(id: number, parameter: number): Uint8Array {
  return Uint8Array.of(id, 0, 0, 0, 0, 0, 1, 0, parameter, 0, 0, 0, 0, 0, 0, 0);
}

export function attribute(name: string, type: Datatype, space: Uint8Array, data: Uint8Array): Message {
  const terminated = Buffer.from(`${name}\0`, "latin1");
  const head = Buffer.concat([Uint8Array.of(3, 0), u16(terminated.length), u16(type.length), u16(space.length)]);
  return { type: 12, content: Buffer.concat([head, Uint8Array.of(0), terminated, type, space, data]) };
}

/** A hard link. @param order its creation order in the group */
export function link(name: string, order: number, address: number): Message {
  const bytes = Buffer.from(name, "latin1");
  return {
    type: 6,
    content: Buffer.concat([Uint8Array.of(1, 4), u64(order), Uint8Array.of(bytes.length), bytes, u64(address)]),
  };
}

/** Attributes are stored in the header and keep their creation order. */
export function attributeInfo(count: number): Message {
  return { type: 21, content: Buffer.concat([Uint8Array.of(0, 3), u16(count), NO_INDEX]) };
}

/** Links are stored in the header and keep their creation order. */
export function linkInfo(count: number): Message {
  return { type: 2, content: Buffer.concat([Uint8Array.of(0, 3), u64(count), NO_INDEX]) };
}

/** Raises the number of links that a group may store in its header. */
export function groupInfo(): Message {
  return { type: 10, content: Uint8Array.of(0, 1, 0xff, 0xff, 0, 0) };
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

/** Addresses of the indexes that headers do not need. */
const NO_INDEX = Buffer.concat([u64(UNDEFINED), u64(UNDEFINED), u64(UNDEFINED)]);

/** Longest text of an attribute: a header message has at most 64 kB. */
const MAX_TEXT_BYTES = 60_000;

/** An attribute that is too long for an object header. */
export interface LongText {
  /** Name of the variable, or "/" for a global attribute. */
  readonly owner: string;
  readonly name: string;
  readonly value: string;
}

/** Returns header messages of all attributes that fit into a header. Empty attributes are left out. */
export function attributeMessages(attributes: Attributes): Message[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined || value === "" || isLong(value) ? [] : [attributeMessage(name, value)],
  );
}

/** Returns the attributes that `attributeMessages` leaves out because of their length. */
export function longTexts(owner: string, attributes: Attributes): LongText[] {
  return Object.entries(attributes).flatMap(([name, value]) => (isLong(value) ? [{ owner, name, value }] : []));
}

/** Encodes a number as a double, integers as INT32, and a text with a fixed length. */
function attributeMessage(name: string, value: AttributeValue): Message {
  if (typeof value === "number") return attribute(name, FLOAT64, simple([1]), bytesOf(Float64Array.of(value)));
  if (typeof value !== "string") return attribute(name, INT32, simple([value.length]), bytesOf(value));
  const text = withoutNul(value);
  const bytes = Buffer.from(text);
  return attribute(name, fixedText(bytes.length, bytes.length > text.length), SCALAR, bytes);
}

function isLong(value: AttributeValue | undefined): value is string {
  return typeof value === "string" && Buffer.byteLength(value) > MAX_TEXT_BYTES;
}
