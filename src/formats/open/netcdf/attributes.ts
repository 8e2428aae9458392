import { unitInName } from "#shared/file/units.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { RawQuantity } from "../meaning/quantities.ts";
import { shortestDecimal } from "../meaning/values.ts";
import type {
  AxisSlice,
  NetcdfAttribute,
  NetcdfData,
  NetcdfFile,
  NetcdfType,
  NetcdfVariable,
} from "../../netcdf/read.ts";

type Owner = Pick<NetcdfVariable, "attributes">;

const MAX_CHARACTERS = 2_000;

function attributeOf({ attributes }: Owner, name: string): NetcdfAttribute | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/** Returns a text attribute, trimmed and without NULs; null if it is absent, empty or no text. */
export function textAttribute(owner: Owner, name: string): string | null {
  const value = attributeOf(owner, name);
  const text = Array.isArray(value) && value.every((v) => typeof v === "string") ? value.join(" ") : value;
  if (typeof text !== "string") return null;
  return text.replaceAll("\0", "").trim().slice(0, MAX_CHARACTERS) || null;
}

/** Returns a numeric attribute. Numeric texts are accepted, because some writers store `_FillValue` as text. */
export function numbersOf(owner: Owner, name: string): number[] {
  const value = attributeOf(owner, name);
  if (value === undefined) return [];
  const list: readonly (string | number)[] = Array.isArray(value) ? value : [value as string | number];
  return list
    .filter((v) => typeof v !== "string" || v.trim() !== "")
    .map(Number)
    .filter((v, i) => !Number.isNaN(v) || typeof list[i] === "number");
}

export function quantityOf(variable: NetcdfVariable): RawQuantity {
  const text = (name: string): string | null => textAttribute(variable, name);
  const stated = text("units") ?? text("unit");
  const { name, unit } = stated === null ? unitInName(ownName(variable)) : { name: ownName(variable), unit: stated };
  return { name, unit, longName: text("long_name"), standardName: text("standard_name") };
}

export function aboutOf(file: NetcdfFile): Pick<OpenedFile, "format" | "title" | "source"> {
  const [source = null] = ["source", "institution", "references"].flatMap((name) => textAttribute(file, name) ?? []);
  return { format: file.format, title: textAttribute(file, "title"), source };
}

export function isNumeric({ type }: NetcdfVariable): boolean {
  return type !== "char" && type !== "string" && type !== "other";
}

/** Returns the last part of a name, without groups and netcdf-c's prefix for non-coordinate variables. */
export function ownName({ name }: Pick<NetcdfVariable, "name">): string {
  return name.slice(name.lastIndexOf("/") + 1).replace(/^_nc4_non_coord_/, "");
}

export function clean(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").trim();
}

export function numbersAt(file: NetcdfFile, variable: NetcdfVariable, slices: readonly AxisSlice[]) {
  return unpackNumbers(file.read(variable.name, slices), packingOf(variable));
}

/**
 * Default fill values of netcdf-c; by convention, one-byte types have none. 64-bit values are given as the nearest
 * doubles.
 */
const DEFAULT_FILLS: Partial<Record<NetcdfType, readonly number[]>> = {
  short: [-32_767],
  ushort: [65_535],
  int: [-2_147_483_647],
  uint: [4_294_967_295],
  int64: [-(2 ** 63)],
  uint64: [2 ** 64],
  float: [Math.fround(9.969209968386869e36)],
  double: [9.969209968386869e36],
};
const WRAPS: Partial<Record<NetcdfType, number>> = { byte: 2 ** 8, short: 2 ** 16, int: 2 ** 32 };

type Packing = ReturnType<typeof packingOf>;

/** Packing of a variable's numbers by CF-1.8, sections 2.5.1 and 8.1. */
export function packingOf(variable: NetcdfVariable) {
  const { type } = variable;
  const fills = [...numbersOf(variable, "_FillValue"), ...numbersOf(variable, "missing_value")];
  const isUnsigned = textAttribute(variable, "_Unsigned")?.toLowerCase() === "true";
  const wrap = isUnsigned ? (WRAPS[type] ?? 0) : 0;
  const [low, high] = numbersOf(variable, "valid_range");
  const number = (name: string): number | undefined => numbersOf(variable, name)[0];
  const own = (value: number): number => {
    const typed = type === "float" ? Math.fround(value) : value;
    return typed < 0 ? typed + wrap : typed;
  };
  return {
    missing: (fills.length > 0 ? fills : (DEFAULT_FILLS[type] ?? [])).map(own),
    validMin: own(number("valid_min") ?? low ?? Number.NEGATIVE_INFINITY),
    validMax: own(number("valid_max") ?? high ?? Number.POSITIVE_INFINITY),
    ...wholeScale(number("scale_factor") ?? 1, number("add_offset") ?? 0),
    /** Added to negative numbers of unsigned integers stored as signed (`_Unsigned`). */
    wrap,
  };
}

const MAX_DECIMALS = 9;

/** A value is (number × scale + offset) ÷ unit: all whole, if the attributes are decimals, so that a value is also one. */
function wholeScale(scale: number, offset: number) {
  // An attribute of single precision, such as 0.1, is meant as its shortest decimal.
  const [factor, added] = [scale, offset].map((x) => (Math.fround(x) === x ? shortestDecimal(x) : x)) as [
    number,
    number,
  ];
  for (let unit = 1; unit <= 10 ** MAX_DECIMALS; unit *= 10) {
    const [whole, wholeAdded] = [Math.round(factor * unit), Math.round(added * unit)];
    if (whole / unit === factor && wholeAdded / unit === added) return { scale: whole, offset: wholeAdded, unit };
  }
  return { scale, offset, unit: 1 };
}

/** Unpacks numbers, those of single precision as their shortest decimals; NaN if a value is missing or outside its valid range. */
export function unpackNumbers(data: NetcdfData, packing: Packing): Float64Array<ArrayBuffer> {
  const { missing, validMin, validMax, scale, offset, unit, wrap } = packing;
  // A loop over arrays of several types takes five times as long.
  const numbers = data instanceof Float64Array ? data : Float64Array.from(data as ArrayLike<unknown>, Number);
  const values = new Float64Array(numbers.length);
  const isPlain = scale === 1 && offset === 0 && unit === 1;
  const isSingle = isPlain && data instanceof Float32Array;
  const [first = Number.NaN, ...others] = missing;
  for (let i = 0; i < values.length; i++) {
    let value = numbers[i]!;
    if (value < 0) value += wrap;
    const isMissing = value === first || (others.length > 0 && others.includes(value));
    if (isMissing || !(value >= validMin && value <= validMax)) values[i] = Number.NaN;
    else values[i] = isSingle ? shortestDecimal(value) : isPlain ? value : (value * scale + offset) / unit;
  }
  return values;
}
