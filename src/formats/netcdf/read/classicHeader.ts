import { FormatFailure } from "../../error.ts";
import type { NetcdfAttribute, NetcdfDimension, NumberArray } from "./types.ts";

/** The header of a classic file: CDF-1, CDF-2 (64-bit offsets) or CDF-5 (64-bit sizes and more integer types). */
export interface ClassicHeader {
  /** Number of records; null if written as a stream: then it follows from the size of the file. */
  readonly records: number | null;
  readonly dimensions: readonly NetcdfDimension[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
  readonly variables: readonly HeaderVariable[];
}

interface HeaderVariable {
  readonly name: string;
  readonly type: ClassicType;
  /** Indices into `dimensions`. */
  readonly dimensions: readonly number[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
  readonly offset: number;
}

/** Types in the order of their numbers in the file, from 1, with the array for their values. */
const ARRAYS = {
  byte: Int8Array,
  char: Uint8Array,
  short: Int16Array,
  int: Int32Array,
  float: Float32Array,
  double: Float64Array,
  ubyte: Uint8Array,
  ushort: Uint16Array,
  uint: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
} as const;
export type ClassicType = keyof typeof ARRAYS;
const TYPES = Object.keys(ARRAYS) as ClassicType[];

/** Returns the size of a value. */
export function typeBytes(type: ClassicType): number {
  return ARRAYS[type].BYTES_PER_ELEMENT;
}

/** Decodes values in their own memory: in a classic file, they are big-endian. */
export function decode(bytes: Uint8Array<ArrayBuffer>, type: ClassicType): NumberArray {
  const buffer = Buffer.from(bytes.buffer);
  const width = typeBytes(type);
  if (width === 2) buffer.swap16();
  else if (width === 4) buffer.swap32();
  else if (width === 8) buffer.swap64();
  return new ARRAYS[type](bytes.buffer);
}

/** Number of types in CDF-1 and CDF-2. */
const CLASSIC_TYPES = 6;
const [DIMENSIONS, VARIABLES, ATTRIBUTES] = [0x0a, 0x0b, 0x0c];

/** Parses a header. @throws RangeError if the bytes end before the header, FormatFailure if it is invalid */
export function parseClassicHeader(bytes: Uint8Array): ClassicHeader {
  return new HeaderReader(bytes).read();
}

class HeaderReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #version: number;
  #at = 4;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#version = this.#view.getUint8(3);
  }

  read(): ClassicHeader {
    const records = this.#records();
    const dimensions = this.#list(DIMENSIONS, () => ({ name: this.#name(), size: this.#count() }));
    const attributes = this.#attributes();
    const variables = this.#list(VARIABLES, () => this.#variable(dimensions.length));
    return {
      records,
      // The record dimension has the size 0.
      dimensions: dimensions.map(({ name, size }) => ({ name, size, unlimited: size === 0 })),
      attributes,
      variables,
    };
  }

  #records(): number | null {
    const isStream =
      this.#view.getUint32(4) === 0xffffffff && (this.#version !== 5 || this.#view.getUint32(8) === 0xffffffff);
    if (!isStream) return this.#count();
    this.#skip(this.#version === 5 ? 8 : 4);
    return null;
  }

  #variable(dimensionCount: number): HeaderVariable {
    const name = this.#name();
    const dimensions: number[] = [];
    for (let left = this.#count(); left > 0; left--) {
      const dimension = this.#count();
      if (dimension >= dimensionCount) throw unreadable(`The variable ${name} names a dimension that is not there.`);
      dimensions.push(dimension);
    }
    const attributes = this.#attributes();
    const type = this.#type(name);
    this.#count();
    return { name, type, dimensions, attributes, offset: this.#version === 1 ? this.#uint32() : this.#uint64() };
  }

  #attributes(): Readonly<Record<string, NetcdfAttribute>> {
    return Object.fromEntries(
      this.#list(ATTRIBUTES, (): [string, NetcdfAttribute] => {
        const name = this.#name();
        const type = this.#type(name);
        const width = typeBytes(type);
        const count = this.#count();
        const start = this.#skip(count * width);
        this.#pad();
        return [name, this.#value(type, width, start, count)];
      }),
    );
  }

  #value(type: ClassicType, width: number, start: number, count: number): NetcdfAttribute {
    if (type === "char") return textOf(this.#bytes.subarray(start, start + count)).replace(/\0+$/, "");
    const values = Array.from(
      decode(Uint8Array.from(this.#bytes.subarray(start, start + count * width)), type),
      Number,
    );
    const [first] = values;
    return values.length === 1 && first !== undefined ? first : values;
  }

  #type(name: string): ClassicType {
    const number = this.#uint32();
    const found = number > CLASSIC_TYPES && this.#version !== 5 ? undefined : TYPES[number - 1];
    if (!found) throw unreadable(`The type of ${name} is unknown.`);
    return found;
  }

  /** Reads a list: tag, number of items, items; an empty list may have a tag of zero. */
  #list<T>(tag: number, item: () => T): T[] {
    const found = this.#uint32();
    const items: T[] = [];
    const count = this.#count();
    if (found !== tag && (found !== 0 || count !== 0)) throw unreadable(`It has ${found} where ${tag} should be.`);
    for (let left = count; left > 0; left--) items.push(item());
    return items;
  }

  #name(): string {
    const length = this.#count();
    const start = this.#skip(length);
    this.#pad();
    return textOf(this.#bytes.subarray(start, start + length));
  }

  /** Reads a count: 64 bits in CDF-5, else 32. */
  #count(): number {
    return this.#version === 5 ? this.#uint64() : this.#uint32();
  }

  #uint32(): number {
    return this.#view.getUint32(this.#skip(4));
  }

  #uint64(): number {
    const value = Number(this.#view.getBigUint64(this.#skip(8)));
    if (Number.isSafeInteger(value)) return value;
    throw unreadable("It has a number that no file is large enough for.");
  }

  /** @returns the start of the skipped bytes @throws RangeError if they exceed the bytes */
  #skip(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw new RangeError("The header goes on behind these bytes.");
    this.#at += length;
    return start;
  }

  #pad(): void {
    this.#at = Math.ceil(this.#at / 4) * 4;
  }
}

/** Decodes UTF-8, or Latin-1 if invalid: a file in an older encoding. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

function unreadable(cause: string): FormatFailure {
  return new FormatFailure("unreadable", "The header of this NetCDF-3 file cannot be read.", cause);
}
