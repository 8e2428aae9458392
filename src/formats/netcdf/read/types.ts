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

/** Numbers in the type of the file; texts where the variable holds strings or characters. */
export type NetcdfData = NumberArray | string[];

/** Attributes as they are in the file: a text, a number, or several numbers or texts. */
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
  /** Sizes of the blocks in which it lies, along every axis; absent where it lies row by row. */
  readonly chunk?: readonly number[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
}

/** A part along one axis, half-open. */
export type AxisSlice = readonly [start: number, end: number];

/** An open NetCDF file of either kind. What fails while reading is thrown as a `FormatFailure`. */
export interface NetcdfFile {
  readonly format: "netcdf4" | "netcdf3";
  readonly dimensions: readonly NetcdfDimension[];
  readonly variables: readonly NetcdfVariable[];
  readonly attributes: Readonly<Record<string, NetcdfAttribute>>;
  variable(name: string): NetcdfVariable | undefined;
  /**
   * Values of a variable, flat, last axis fastest; the whole of it or the given part of every axis. Characters come as
   * one text per row of the last axis, without the padding.
   */
  read(name: string, slices?: readonly AxisSlice[]): NetcdfData;
  close(): void;
}
