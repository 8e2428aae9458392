import { bytesOf } from "#shared/arrays.ts";
import { readFully } from "../fileBytes.ts";
import { type Attributes, withoutNul } from "../netcdf/sink.ts";

/** Types of the classic model used here, with their numbers in the file. */
const CLASSIC_TYPES = { char: 2, int: 4, double: 6 } as const;
export type ClassicType = keyof typeof CLASSIC_TYPES;
const WIDTHS: Readonly<Record<ClassicType, number>> = { char: 1, int: 4, double: 8 };

export interface ClassicDimension {
  readonly name: string;
  readonly size: number;
  /** The unlimited dimension: at most one, and the first one of its variables, which are stored record by record. */
  readonly isRecord: boolean;
}

export interface ClassicVariable {
  readonly name: string;
  readonly type: ClassicType;
  readonly dimensions: readonly ClassicDimension[];
  readonly attributes: Attributes;
}

interface ClassicLayout<V extends ClassicVariable> {
  readonly header: Buffer;
  readonly variables: readonly PlacedVariable<V>[];
  /** Offset of the records, and the size of each. */
  readonly recordsBegin: number;
  readonly recordBytes: number;
  readonly endByte: number;
}

interface PlacedVariable<V extends ClassicVariable> {
  readonly variable: V;
  /** Offset of its values, or of its part of the first record, padded to four bytes. */
  readonly begin: number;
}

/** Returns the size of a variable's values, or of one record, without padding. */
export function variableBytes({ type, dimensions }: Pick<ClassicVariable, "type" | "dimensions">): number {
  return dimensions.reduce((product, d) => (d.isRecord ? product : product * d.size), WIDTHS[type]);
}

export function hasRecords({ dimensions }: Pick<ClassicVariable, "dimensions">): boolean {
  return dimensions.some((d) => d.isRecord);
}

const MAGIC = Buffer.from("CDF\x02", "latin1");
const [DIMENSIONS, VARIABLES, ATTRIBUTES] = [10, 11, 12];
const ABSENT = Buffer.alloc(8);

/** Returns the header of a file with 64-bit offsets (CDF-2), and the offsets of the values. */
export function layOut<V extends ClassicVariable>(
  dimensions: readonly ClassicDimension[],
  attributes: Attributes,
  variables: readonly V[],
): ClassicLayout<V> {
  const records = dimensions.find((d) => d.isRecord)?.size ?? 0;
  const encode = (placed: readonly PlacedVariable<V>[]): Buffer =>
    Buffer.concat([
      MAGIC,
      int32(records),
      list(
        DIMENSIONS,
        dimensions.map(({ name, size, isRecord }) => [text(name), int32(isRecord ? 0 : size)]).flat(),
        dimensions.length,
      ),
      attributeList(attributes),
      list(
        VARIABLES,
        placed.map(({ variable, begin }) => variableEntry(variable, dimensions, begin)).flat(),
        placed.length,
      ),
    ]);
  // Offsets have a fixed width, so that a header with zeros has the length of the final one.
  const placed = variables.map((variable) => ({ variable, begin: 0 }));
  let next = encode(placed).length;
  const place = (isRecord: boolean): void => {
    for (const entry of placed) {
      if (hasRecords(entry.variable) !== isRecord) continue;
      entry.begin = next;
      next += padded(variableBytes(entry.variable));
    }
  };
  place(false);
  // Records are last.
  const recordsBegin = next;
  place(true);
  const recordBytes = next - recordsBegin;
  const endByte = recordsBegin + records * recordBytes;
  return { header: encode(placed), variables: placed, recordsBegin, recordBytes, endByte };
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
  const entries = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[text(name), attributeValue(value)]],
  );
  return list(ATTRIBUTES, entries.flat(), entries.length);
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

/** Encodes a name or a text: length, UTF-8, and zeros up to a multiple of four. */
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

/** Size of a block of records, small enough not to block the event loop for long. */
const BLOCK_BYTES = 4 << 20;

/** Staged doubles of a variable with records: column by column, each over all records. */
export interface StagedVariable {
  /** Offset of the first column in bytes. */
  readonly address: number;
  /** Values per record in a column. */
  readonly width: number;
  readonly columns: number;
  /** Index of its first value in a record. */
  readonly index: number;
}

/** Records of a file, each with `values` doubles. */
export interface Records {
  readonly count: number;
  readonly values: number;
  readonly variables: readonly StagedVariable[];
}

/** Returns the staging offset, in bytes, of a block that starts at a record and at a value of it. */
export function stagingAddress({ count }: Records, variable: StagedVariable, record: number, value: number): number {
  return variable.address + 8 * (value * count + record * variable.width);
}

/** Yields the records in blocks, interleaved from the staged columns of `descriptor`, big-endian. */
export function* interleavedRecords(descriptor: number, records: Records): Iterable<Buffer> {
  const { count, values, variables } = records;
  const maxRecords = Math.max(1, Math.floor(BLOCK_BYTES / (8 * values)));
  const block = new Float64Array(Math.min(maxRecords, count) * values);
  const column = new Float64Array(Math.min(maxRecords, count) * Math.max(0, ...variables.map((v) => v.width)));
  for (let from = 0; from < count; from += maxRecords) {
    const length = Math.min(maxRecords, count - from);
    for (const variable of variables) {
      const { width, columns, index } = variable;
      for (let c = 0; c < columns; c++) {
        const part = column.subarray(0, length * width);
        if (!readFully(descriptor, bytesOf(part), stagingAddress(records, variable, from, c * width)))
          throw new Error("The staged values of a NetCDF-3 file are incomplete.");
        for (let i = 0, at = index + c * width; i < length; i++, at += values)
          for (let w = 0; w < width; w++) block[at + w] = part[i * width + w]!;
      }
    }
    yield Buffer.from(block.buffer, 0, 8 * length * values).swap64();
  }
}
