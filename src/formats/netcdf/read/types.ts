type NumberArray =
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
