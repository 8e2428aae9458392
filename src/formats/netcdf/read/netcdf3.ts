import { defined } from "#shared/defined.ts";
import { FormatFailure } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import { type ClassicHeader, type ClassicType, decode, parseClassicHeader, typeBytes } from "./classicHeader.ts";
import {
  type AxisSlice,
  checkedSlices,
  type NetcdfData,
  type NetcdfFile,
  type NetcdfVariable,
  sliceLength,
  splitTexts,
} from "./types.ts";

/** Initial number of bytes to read for the header; doubled until it is complete. */
const HEAD_BYTES = 256 * 1024;
/** A header that goes on is damaged. */
const MAX_HEAD_BYTES = 64 * 1024 * 1024;

/** Opens a classic file (CDF-1, CDF-2). Only requested values are read. @throws FormatFailure */
export function openNetcdf3(source: ForeignFile): NetcdfFile {
  const header = readHeader(source);
  const layout = layoutOf(header, source.bytes);
  if (layout.endByte > source.bytes) throw truncated();
  return file(source, header, layout);
}

function readHeader(source: ForeignFile): ClassicHeader {
  for (let length = HEAD_BYTES; ; length *= 2) {
    const whole = length >= source.bytes;
    const bytes = new Uint8Array(Math.min(length, source.bytes));
    readWhole(source, bytes, 0);
    try {
      return parseClassicHeader(bytes);
    } catch (thrown) {
      // A range error means that the header continues beyond these bytes.
      if (!(thrown instanceof RangeError)) throw thrown;
      if (whole || length >= MAX_HEAD_BYTES) throw truncated(thrown);
    }
  }
}

interface Placed {
  readonly variable: NetcdfVariable & { readonly type: ClassicType };
  readonly offset: number;
  /** Bytes between records; 0 for a variable without the unlimited dimension. */
  readonly recordStep: number;
}

interface Layout {
  readonly variables: readonly Placed[];
  readonly records: number;
  readonly endByte: number;
}

/** Computes the position of each variable. The header's size field is too small for large variables. */
function layoutOf({ dimensions, variables, records: stated }: ClassicHeader, fileBytes: number): Layout {
  const described = variables.map((v) => {
    const axes = v.dimensions.map((d) => defined(dimensions[d]));
    const isRecord = axes[0]?.unlimited === true;
    const inner = axes.slice(isRecord ? 1 : 0).reduce((product, { size }) => product * size, typeBytes(v.type));
    return { variable: v, axes, isRecord, inner };
  });
  const recordVariables = described.filter((v) => v.isRecord);
  const [single] = recordVariables;
  // By an exception in the format, a single record variable is not padded to four bytes.
  const recordStep =
    single && recordVariables.length === 1
      ? single.inner
      : recordVariables.reduce((sum, v) => sum + Math.ceil(v.inner / 4) * 4, 0);
  const firstRecord = recordVariables.reduce((first, v) => Math.min(first, v.variable.offset), fileBytes);
  const records = stated ?? (recordStep === 0 ? 0 : Math.floor((fileBytes - firstRecord) / recordStep));
  const endByte = described.reduce((end, { variable: { offset }, isRecord, inner }) => {
    const last = isRecord ? offset + Math.max(0, records - 1) * recordStep : offset;
    return isRecord && records === 0 ? end : Math.max(end, last + inner);
  }, 0);
  const placed = described.map(({ variable, axes, isRecord }): Placed => ({
    variable: {
      name: variable.name,
      type: variable.type,
      dimensions: axes.map(({ name }) => name),
      shape: axes.map(({ size, unlimited }) => (unlimited ? records : size)),
      attributes: variable.attributes,
    },
    offset: variable.offset,
    recordStep: isRecord ? recordStep : 0,
  }));
  return { variables: placed, records, endByte };
}

function file(source: ForeignFile, header: ClassicHeader, { variables: placed, records }: Layout): NetcdfFile {
  const byName = new Map(placed.map((p) => [p.variable.name, p]));
  return {
    format: "netcdf3",
    dimensions: header.dimensions.map((d) => (d.unlimited ? { ...d, size: records } : d)),
    variables: placed.map((p) => p.variable),
    attributes: header.attributes,
    variable: (name) => byName.get(name)?.variable,
    read(name, slices) {
      const found = byName.get(name);
      if (!found) throw new FormatFailure("invalid", `The file has no variable ${name}.`);
      return readVariable(source, found, checkedSlices(found.variable, slices));
    },
    close() {},
  };
}

/** Reads a part of a variable in the longest contiguous ranges: the inner axes that are requested whole, and one more. */
function readVariable(source: ForeignFile, placed: Placed, slices: readonly AxisSlice[]): NetcdfData {
  const { type, shape } = placed.variable;
  const width = typeBytes(type);
  const bytes = new Uint8Array(sliceLength(slices) * width);
  if (bytes.length > 0) {
    let at = 0;
    const read = rangeReader(source);
    for (const { offset, length } of contiguousRanges(placed, slices, width)) {
      read(bytes.subarray(at, at + length), offset);
      at += length;
    }
  }
  if (type === "char") {
    const last = slices.at(-1);
    return splitTexts(bytes, last ? last[1] - last[0] : shape.length === 0 ? 1 : 0);
  }
  return decode(bytes, type);
}

/** Yields the ranges of a file that hold the slices, each as long as the file allows. */
function* contiguousRanges(
  placed: Placed,
  slices: readonly AxisSlice[],
  width: number,
): Iterable<{ offset: number; length: number }> {
  const axes = slicedAxes(placed, slices, width);
  // The inner axes that lie in the file without a gap, as far as they are read whole.
  let inner = 0;
  let length = width;
  for (const { size, step, count } of axes.toReversed()) {
    if (step !== length) break;
    inner++;
    length *= count;
    if (count !== size) break;
  }
  const first = axes.reduce((sum, { start, step }) => sum + start * step, placed.offset);
  const outer = axes.slice(0, axes.length - inner).toReversed();
  const ranges = outer.reduce((product, { count }) => product * count, 1);
  for (let range = 0; range < ranges; range++) {
    let offset = first;
    let rest = range;
    for (const { step, count } of outer) {
      offset += (rest % count) * step;
      rest = Math.floor(rest / count);
    }
    yield { offset, length };
  }
}

interface SlicedAxis {
  readonly size: number;
  /** Bytes between two positions. */
  readonly step: number;
  /** First position that is read, and number of positions. */
  readonly start: number;
  readonly count: number;
}

/** The axes of a variable, outermost first. */
function slicedAxes({ variable, recordStep }: Placed, slices: readonly AxisSlice[], width: number): SlicedAxis[] {
  return slices.map(([start, end], axis) => {
    const bytes = variable.shape.slice(axis + 1).reduce((a, b) => a * b, width);
    const step = axis === 0 && recordStep > 0 ? recordStep : bytes;
    return { size: defined(variable.shape[axis]), step, start, count: end - start };
  });
}

/** The kernel reads whole pages, so bytes between ranges on the same or the next page cost nothing more. */
const NEAR_BYTES = 4_096;
const BLOCK_BYTES = 256 * 1024;

/** Returns a function that reads increasing ranges, with one call for many small ranges that are near each other. */
function rangeReader(source: ForeignFile): (target: Uint8Array, offset: number) => void {
  let block = new Uint8Array(0);
  let blockOffset = 0;
  let endOfLast = Number.NEGATIVE_INFINITY;
  return (target, offset) => {
    const isNear = offset >= endOfLast && offset - endOfLast + target.length <= NEAR_BYTES;
    endOfLast = offset + target.length;
    if (!isNear) return readWhole(source, target, offset);
    if (endOfLast > blockOffset + block.length) {
      if (block.length === 0) block = new Uint8Array(BLOCK_BYTES);
      const n = source.read(block, offset);
      if (n < target.length) throw truncated();
      block = block.subarray(0, n);
      blockOffset = offset;
    }
    target.set(block.subarray(offset - blockOffset, endOfLast - blockOffset));
  };
}

function readWhole(source: ForeignFile, target: Uint8Array, offset: number): void {
  if (source.read(target, offset) < target.length) throw truncated();
}

function truncated(cause: unknown = null): FormatFailure {
  return new FormatFailure("truncated", "This NetCDF file is incomplete: it ends too early.", cause);
}
