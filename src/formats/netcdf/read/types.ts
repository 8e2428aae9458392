import { FormatFailure } from "../../error.ts";

export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Numbers in the type of the file, or texts for strings and characters. */
export type NetcdfData = NumberArray | string[];

/** Value of an attribute: a text, a number, or several numbers or texts. */
export type NetcdfAttribute = string | number | readonly number[] | readonly string[];

export type NetcdfType =
  | "byte"
  | "ubyte"
  | "char"
  | "short"
  | "ushort"
  | "int"
  | "uint"
  | "int64"
  | "uint64"
  | "float"
  | "double"
  | "string"
  | "other";

export interface NetcdfDimension {
  readonly name: string;
  readonly size: number;
  readonly unlimited: boolean;
}

export interface NetcdfVariable {
  readonly name: string;
  readonly type: NetcdfType;
  /** Names of its dimensions, outermost first; none for a scalar. */
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  /** Chunk size along every axis; absent if stored contiguously. */
  readonly chunk?: readonly number[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
}

/** A half-open range of indices along one axis. */
export type AxisSlice = readonly [start: number, end: number];

/** An open NetCDF file. */
export interface NetcdfFile {
  readonly format: "netcdf4" | "netcdf3";
  readonly dimensions: readonly NetcdfDimension[];
  readonly variables: readonly NetcdfVariable[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
  variable(name: string): NetcdfVariable | undefined;
  /**
   * Returns the values of a variable or of a part of it, flat, last axis fastest. Characters are returned as one text per
   * row of the last axis, without padding. @throws FormatFailure
   */
  read(name: string, slices?: readonly AxisSlice[]): NetcdfData;
  close(): void;
}

/** Returns the requested part along every axis; the whole variable by default. @throws FormatFailure if outside the variable */
export function checkedSlices(
  variable: NetcdfVariable,
  slices: readonly AxisSlice[] | undefined,
): readonly AxisSlice[] {
  const requested = slices ?? variable.shape.map((size): AxisSlice => [0, size]);
  const fits =
    requested.length === variable.shape.length &&
    requested.every(([start, end], axis) => start >= 0 && start <= end && end <= (variable.shape[axis] ?? 0));
  if (!fits) throw new FormatFailure("invalid", `The requested part is outside the variable ${variable.name}.`);
  return requested;
}

export function sliceLength(slices: readonly AxisSlice[]): number {
  return slices.reduce((product, [start, end]) => product * (end - start), 1);
}

/** Splits bytes into UTF-8 texts of `width` bytes each, without NUL padding. */
export function splitTexts(bytes: Uint8Array, width: number): string[] {
  if (width === 0) return [];
  const decoder = new TextDecoder();
  return Array.from({ length: bytes.length / width }, (_, i) => {
    const cell = bytes.subarray(i * width, (i + 1) * width);
    const end = cell.indexOf(0);
    return decoder.decode(end < 0 ? cell : cell.subarray(0, end));
  });
}
