import { NetCDFReader } from "netcdfjs";
import { FormatFailure } from "../../error.ts";
import type { NetcdfAttribute, NetcdfDimension, NumberArray } from "./types.ts";

/** The header of a classic file: CDF-1, or CDF-2 with 64-bit offsets. */
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

const ARRAYS = {
  byte: Int8Array,
  char: Uint8Array,
  short: Int16Array,
  int: Int32Array,
  float: Float32Array,
  double: Float64Array,
} as const;
export type ClassicType = keyof typeof ARRAYS;

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

const STREAM = 0xffff_ffff;
const FAR =
  "This NetCDF-3 file has variables beyond 4 GiB, which cannot be read. Convert it with “nccopy -k nc4 FILE NEW”, and open that.";

/** Parses a header with netcdfjs. @throws RangeError if the bytes end before the header, FormatFailure if it is invalid */
export function parseClassicHeader(bytes: Uint8Array): ClassicHeader {
  const { recordDimension, dimensions = [], globalAttributes = [], variables = [] } = headerOf(bytes);
  return {
    records: recordDimension.length === STREAM ? null : recordDimension.length,
    // The record dimension has the size 0.
    dimensions: dimensions.map(({ name, size }) => ({ name: decodedText(name), size, unlimited: size === 0 })),
    attributes: attributesOf(globalAttributes),
    variables: variables.map((variable): HeaderVariable => {
      const { name, type, offset, dimensions: own, attributes } = variable;
      if (!Object.hasOwn(ARRAYS, type)) throw unreadableHeader(`The type of ${name} is unknown.`);
      if (own.some((at) => at >= dimensions.length))
        throw unreadableHeader(`${name} has a dimension that is not there.`);
      return {
        name: decodedText(name),
        type: type as ClassicType,
        dimensions: own,
        attributes: attributesOf(attributes),
        offset,
      };
    }),
  };
}

type Declared = NetCDFReader["header"];
/** Empty lists are absent, against the types of the library. */
type Header = Pick<Declared, "recordDimension"> & Partial<Declared>;

function headerOf(bytes: Uint8Array): Header {
  try {
    return new NetCDFReader(bytes).header;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw thrown.message.includes("4GB") ? new FormatFailure("unreadable", FAR, thrown) : unreadableHeader(thrown);
  }
}

function attributesOf(attributes: Declared["globalAttributes"]): Readonly<Record<string, NetcdfAttribute>> {
  return Object.fromEntries(
    attributes.map(({ name, type, value }): [string, NetcdfAttribute] => {
      if (typeof value === "string") return [decodedText(name), decodedText(value).replace(/\0+$/, "")];
      // The library returns bytes without their signs.
      const numbers = [value].flat().map((number) => (type === "byte" && number > 127 ? number - 256 : number));
      const [first] = numbers;
      return [decodedText(name), numbers.length === 1 && first !== undefined ? first : numbers];
    }),
  );
}

/** Decodes the bytes of a text, each a character, as UTF-8; or as Latin-1 if they are not UTF-8: a file in an older encoding. */
function decodedText(latin1: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, "latin1"));
  } catch {
    return latin1;
  }
}

function unreadableHeader(cause: unknown): FormatFailure {
  return new FormatFailure("unreadable", "The header of this NetCDF-3 file cannot be read.", cause);
}
