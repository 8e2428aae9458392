import type { Attributes } from "../netcdf/sink.ts";
import { withoutNul } from "../netcdf/sink.ts";

/** External types of the classic model that are written here, with their numbers in the file. */
export const CLASSIC_TYPES = { char: 2, int: 4, double: 6 } as const;
export type ClassicType = keyof typeof CLASSIC_TYPES;
const WIDTHS: Readonly<Record<ClassicType, number>> = { char: 1, int: 4, double: 8 };

export interface ClassicDimension {
  readonly name: string;
  readonly size: number;
  /** At most one of a file, and the first one of its variables: their values lie record by record, so that more can follow. */
  readonly isRecord: boolean;
}

export interface ClassicVariable {
  readonly name: string;
  readonly type: ClassicType;
  readonly dimensions: readonly ClassicDimension[];
  readonly attributes: Attributes;
}

export interface ClassicLayout {
  readonly header: Buffer;
  /** Where each variable begins, or its part of the first record, in the order of the variables; padded to four bytes. */
  readonly begins: readonly number[];
  /** Where the records begin, and how long each is. */
  readonly recordsBegin: number;
  readonly recordBytes: number;
  readonly endByte: number;
}

/** Bytes of all values of a variable, or of one record where it has records; without padding. */
export function variableBytes({ type, dimensions }: Pick<ClassicVariable, "type" | "dimensions">): number {
  return dimensions.reduce((product, d) => (d.isRecord ? product : product * d.size), WIDTHS[type]);
}

export function hasRecords({ dimensions }: Pick<ClassicVariable, "dimensions">): boolean {
  return dimensions.some((d) => d.isRecord);
}

const MAGIC = Buffer.from("CDF\x02", "latin1");
const [DIMENSIONS, VARIABLES, ATTRIBUTES] = [10, 11, 12];
const ABSENT = Buffer.alloc(8);

/** The head of a file of the 64-bit offset kind (CDF-2), and the places of the values behind it. Pure. */
export function layOut(
  dimensions: readonly ClassicDimension[],
  attributes: Attributes,
  variables: readonly ClassicVariable[],
): ClassicLayout {
  const records = dimensions.find((d) => d.isRecord)?.size ?? 0;
  const encode = (begins: readonly number[]): Buffer =>
    Buffer.concat([
      MAGIC,
      int32(records),
      list(
        DIMENSIONS,
        dimensions.map(({ name, size, isRecord }) => [text(name), int32(isRecord ? 0 : size)]).flat(),
        dimensions.length,
      ),
      attributeList(attributes),
      list(VARIABLES, variables.map((v, i) => variableEntry(v, dimensions, begins[i]!)).flat(), variables.length),
    ]);
  // Places have a fixed width, so that a head with none yet has the length of the final one.
  let next = encode(variables.map(() => 0)).length;
  const begins = variables.map(() => 0);
  const place = (isRecord: boolean): void =>
    variables.forEach((v, i) => {
      if (hasRecords(v) !== isRecord) return;
      begins[i] = next;
      next += padded(variableBytes(v));
    });
  place(false);
  // Records follow all else.
  const recordsBegin = next;
  place(true);
  const recordBytes = next - recordsBegin;
  return { header: encode(begins), begins, recordsBegin, recordBytes, endByte: recordsBegin + records * recordBytes };
}

function variableEntry(variable: ClassicVariable, dimensions: readonly ClassicDimension[], begin: number): Buffer[] {
  const place = Buffer.alloc(8);
  place.writeBigInt64BE(BigInt(begin));
  return [
    text(variable.name),
    int32(variable.dimensions.length),
    ...variable.dimensions.map((d) => int32(dimensions.indexOf(d))),
    attributeList(variable.attributes),
    int32(CLASSIC_TYPES[variable.type]),
    uint32(padded(variableBytes(variable))),
    place,
  ];
}

function attributeList(attributes: Attributes): Buffer {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== "");
  return list(ATTRIBUTES, given.map(([name, value]) => [text(name), attributeValue(value!)]).flat(), given.length);
}

function attributeValue(value: string | number | Int32Array): Buffer {
  if (typeof value === "string") return Buffer.concat([int32(CLASSIC_TYPES.char), text(withoutNul(value))]);
  if (typeof value === "number") {
    const double = Buffer.alloc(8);
    double.writeDoubleBE(value);
    return Buffer.concat([int32(CLASSIC_TYPES.double), int32(1), double]);
  }
  return Buffer.concat([int32(CLASSIC_TYPES.int), int32(value.length), ...Array.from(value, int32)]);
}

function list(tag: number, entries: readonly Buffer[], count: number): Buffer {
  return count === 0 ? ABSENT : Buffer.concat([int32(tag), int32(count), ...entries]);
}

/** Length, bytes of UTF-8, and zeros up to a multiple of four: names and texts of attributes alike. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([int32(bytes.length), bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
