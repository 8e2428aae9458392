import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { NetCDFReader } from "netcdfjs";
import { FormatFailure } from "../../error.ts";
import { checkedSlices, sliceLength, splitTexts } from "./slices.ts";
import type { AxisSlice, NetcdfAttribute, NetcdfData, NetcdfFile, NetcdfType, NetcdfVariable } from "./types.ts";

type Header = NetCDFReader["header"];

const BYTES: Partial<Record<NetcdfType, number>> = { byte: 1, char: 1, short: 2, int: 4, float: 4, double: 8 };
/** How much is read at first in search of the header; doubled until it is whole. */
const HEAD_BYTES = 256 * 1024;

/**
 * Opens a classic file (CDF-1, CDF-2). netcdfjs reads the header; the values are read here, straight from the disk and
 * only those asked for, since netcdfjs takes the whole file into memory as an array of objects.
 */
export function openNetcdf3(path: string): NetcdfFile {
  const descriptor = openSync(path, "r");
  try {
    const fileBytes = fstatSync(descriptor).size;
    const header = readHeader(descriptor, fileBytes);
    const layout = layoutOf(header);
    if (layout.endByte > fileBytes) throw truncated();
    return file(descriptor, header, layout.variables);
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function readHeader(descriptor: number, fileBytes: number): Header {
  for (let length = HEAD_BYTES; ; length *= 2) {
    const whole = length >= fileBytes;
    const bytes = new Uint8Array(Math.min(length, fileBytes));
    readFully(descriptor, bytes, 0);
    try {
      return new NetCDFReader(bytes).header;
    } catch (thrown) {
      // Beyond the end of the bytes at hand the reader fails with a range error; anything else is the file's fault.
      if (!(thrown instanceof RangeError)) {
        throw new FormatFailure("unreadable", "The header of this NetCDF-3 file cannot be read.", thrown);
      }
      if (whole) throw truncated(thrown);
    }
  }
}

interface Placed {
  readonly variable: NetcdfVariable;
  readonly offset: number;
  /** Bytes from one record to the next, 0 for a variable without the unlimited dimension. */
  readonly recordStep: number;
}

/** Where each variable lies. netcdfjs gives the padded sizes of the header, which are not enough for large variables. */
function layoutOf(header: Header): { variables: Placed[]; endByte: number } {
  const records = header.recordDimension.length;
  const dimensions = header.dimensions ?? [];
  const described = (header.variables ?? []).map((v) => {
    const isRecord = v.dimensions.length > 0 && v.dimensions[0] === header.recordDimension.id;
    const shape = v.dimensions.map((d) => (d === header.recordDimension.id ? records : dimensions[d]!.size));
    const width = BYTES[v.type as NetcdfType];
    if (!width) throw new FormatFailure("unreadable", `The variable ${utf8(v.name)} has an unknown type.`);
    const inner = shape.slice(isRecord ? 1 : 0).reduce((a, b) => a * b, width);
    const variable: NetcdfVariable = {
      name: utf8(v.name),
      type: v.type as NetcdfType,
      dimensions: v.dimensions.map((d) => utf8(dimensions[d]!.name)),
      shape,
      attributes: attributesOf(v.attributes),
    };
    return { variable, offset: v.offset, isRecord, inner };
  });
  const ofRecords = described.filter((v) => v.isRecord);
  // A single record variable is not padded to four bytes, by an old rule of the format.
  const recordStep =
    ofRecords.length === 1 ? ofRecords[0]!.inner : ofRecords.reduce((sum, v) => sum + Math.ceil(v.inner / 4) * 4, 0);
  const endByte = described.reduce((end, v) => {
    const last = v.isRecord ? v.offset + Math.max(0, records - 1) * recordStep : v.offset;
    return v.isRecord && records === 0 ? end : Math.max(end, last + v.inner);
  }, 0);
  const variables = described.map((v) => ({
    variable: v.variable,
    offset: v.offset,
    recordStep: v.isRecord ? recordStep : 0,
  }));
  return { variables, endByte };
}

function file(descriptor: number, header: Header, placed: readonly Placed[]): NetcdfFile {
  let open = true;
  return {
    format: "netcdf3",
    dimensions: (header.dimensions ?? []).map((d, i) => ({
      name: utf8(d.name),
      size: i === header.recordDimension.id ? header.recordDimension.length : d.size,
      unlimited: i === header.recordDimension.id,
    })),
    variables: placed.map((p) => p.variable),
    attributes: attributesOf(header.globalAttributes),
    variable: (name) => placed.find((p) => p.variable.name === name)?.variable,
    read(name, slices) {
      const found = placed.find((p) => p.variable.name === name);
      if (!found) throw new FormatFailure("invalid", `The file has no variable ${name}.`);
      return readVariable(descriptor, found, checkedSlices(found.variable, slices));
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/** Reads the longest stretches that lie together in the file: as many inner axes as are wanted whole, and one more. */
function readVariable(descriptor: number, placed: Placed, slices: readonly AxisSlice[]): NetcdfData {
  const { type, shape } = placed.variable;
  const width = BYTES[type]!;
  const bytes = new Uint8Array(sliceLength(slices) * width);
  if (bytes.length > 0) {
    let at = 0;
    for (const stretch of stretches(placed, slices, width)) {
      readFully(descriptor, bytes.subarray(at, at + stretch.length), stretch.offset);
      at += stretch.length;
    }
  }
  if (type === "char") {
    const last = slices.at(-1);
    return splitTexts(bytes, last ? last[1] - last[0] : shape.length === 0 ? 1 : 0);
  }
  return decode(bytes, type);
}

function* stretches(
  placed: Placed,
  slices: readonly AxisSlice[],
  width: number,
): Iterable<{ offset: number; length: number }> {
  const { shape } = placed.variable;
  const steps = shape.map((_, axis) =>
    axis === 0 && placed.recordStep > 0 ? placed.recordStep : shape.slice(axis + 1).reduce((a, b) => a * b, width),
  );
  let joined = shape.length;
  let length = width;
  while (joined > 0 && steps[joined - 1] === length) {
    joined--;
    const [start, end] = slices[joined]!;
    length *= end - start;
    if (end - start !== shape[joined]) break;
  }
  const first = slices.reduce((sum, [start], axis) => sum + start * steps[axis]!, placed.offset);
  const index = slices.slice(0, joined).map(() => 0);
  while (true) {
    yield { offset: index.reduce((sum, i, axis) => sum + i * steps[axis]!, first), length };
    let axis = joined - 1;
    while (axis >= 0 && ++index[axis]! >= slices[axis]![1] - slices[axis]![0]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

/** Values in a classic file are big-endian. */
function decode(bytes: Uint8Array, type: NetcdfType): NetcdfData {
  const buffer = Buffer.from(bytes.buffer);
  switch (type) {
    case "short":
      buffer.swap16();
      return new Int16Array(bytes.buffer);
    case "int":
      buffer.swap32();
      return new Int32Array(bytes.buffer);
    case "float":
      buffer.swap32();
      return new Float32Array(bytes.buffer);
    case "double":
      buffer.swap64();
      return new Float64Array(bytes.buffer);
    default:
      return new Int8Array(bytes.buffer);
  }
}

function attributesOf(list: Header["globalAttributes"] | undefined): Record<string, NetcdfAttribute> {
  return Object.fromEntries(
    (list ?? []).map((a) => {
      const value = a.value as string | number | number[];
      return [utf8(a.name), typeof value === "string" ? utf8(value) : value];
    }),
  );
}

/**
 * netcdfjs takes every byte for a character of its own, which damages all text beyond ASCII. The bytes are still there,
 * one per character: read again as UTF-8, or left alone where they are none (a file in an older encoding).
 */
function utf8(text: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

function readFully(descriptor: number, target: Uint8Array, offset: number): void {
  for (let done = 0; done < target.length;) {
    const n = readSync(descriptor, target, done, target.length - done, offset + done);
    if (n === 0) throw truncated();
    done += n;
  }
}

function truncated(cause: unknown = null): FormatFailure {
  return new FormatFailure("truncated", "This NetCDF file ends too early: a part of it is missing.", cause);
}
