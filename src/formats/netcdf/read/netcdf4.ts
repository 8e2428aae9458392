import type { Dataset, File } from "h5wasm";
import { messageOf } from "#shared/fault.ts";
import { FormatFailure } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import { type Hdf5File, hdf5Library, isAborted, openHdf5, refersTo } from "../library.ts";
import {
  type AxisSlice,
  checkedSlices,
  type NetcdfAttribute,
  type NetcdfData,
  type NetcdfDimension,
  type NetcdfFile,
  type NetcdfType,
  type NetcdfVariable,
  sliceLength,
  splitTexts,
} from "./types.ts";

const NOT_A_VARIABLE = "This is a netCDF dimension but not a netCDF variable.";
/** Internal attributes of netcdf-c and HDF5. */
const INTERNAL = new Set([
  "CLASS",
  "NAME",
  "DIMENSION_LIST",
  "REFERENCE_LIST",
  "_Netcdf4Dimid",
  "_Netcdf4Coordinates",
  "_NCProperties",
  "_nc3_strict",
]);

type H5 = Awaited<ReturnType<typeof hdf5Library>>;

/** Opens a NetCDF-4 file, or any other HDF5 file. Variables of groups are named `group/variable`. @throws FormatFailure */
export async function openNetcdf4(source: ForeignFile): Promise<NetcdfFile> {
  const library = await hdf5Library();
  try {
    const opened = openHdf5(library, source);
    try {
      return opened.call(() => describeFile(library, opened));
    } catch (thrown) {
      opened.close();
      throw thrown;
    }
  } catch (thrown) {
    throw readingFailure(thrown);
  }
}

function describeFile(h5: H5, { file, call, close }: Hdf5File): NetcdfFile {
  const dimensions = new Map<string, NetcdfDimension>();
  const variables = new Map<string, { variable: NetcdfVariable; dataset: Dataset }>();
  const found: { name: string; dataset: Dataset; scaleName: string | null }[] = [];
  const scales = new Map<string, string>();
  for (const name of file.paths().map((p) => p.replace(/^\/+/, ""))) {
    const dataset = file.get(name);
    if (dataset instanceof h5.ExternalLink) throw refersTo(dataset.filename, `“${name}” in this file`);
    if (!(dataset instanceof h5.Dataset)) continue;
    refuseOtherSources(name, dataset);
    const scaleName = dataset.get_scale_name();
    if (scaleName !== null) scales.set(referenceKey(dataset.create_reference()), name);
    found.push({ name, dataset, scaleName });
  }
  for (const { name, dataset, scaleName } of found) {
    if (scaleName !== null) dimensions.set(name, dimensionOf(name, dataset));
    if (scaleName?.startsWith(NOT_A_VARIABLE)) continue;
    const { chunks } = dataset.metadata;
    const shape = dataset.metadata.shape ?? [];
    const variable = {
      name,
      ...(chunks ? { chunk: chunks } : {}),
      type: typeOf(h5, dataset),
      dimensions: axisNames({ dataset, name, shape, isScale: scaleName !== null }, dimensions, scales),
      shape,
      attributes: attributesOf(dataset),
    };
    variables.set(name, { variable, dataset });
  }
  return {
    format: "netcdf4",
    dimensions: [...dimensions.values()],
    variables: [...variables.values()].map((v) => v.variable),
    attributes: attributesOf(file),
    variable: (name) => variables.get(name)?.variable,
    read(name, slices) {
      const found = variables.get(name);
      if (!found) throw new FormatFailure("invalid", `The file has no variable ${name}.`);
      const requested = checkedSlices(found.variable, slices);
      if (isAborted(h5)) throw new FormatFailure("unreadable", STOPPED);
      try {
        return call(() => readDataset(h5, found.variable, found.dataset, requested));
      } catch (thrown) {
        throw isAborted(h5) ? new FormatFailure("unreadable", STOPPED, thrown) : readingFailure(thrown);
      }
    },
    close,
  };
}

/**
 * Refuses a dataset with values in other files. Of a virtual one, the library would show fill values; an external one is
 * not chunked, and its file is opened when the first value is read.
 */
function refuseOtherSources(name: string, dataset: Dataset): void {
  const { virtual_sources: sources = [], chunks, shape } = dataset.metadata;
  const other = sources.find(({ file_name }) => file_name !== ".");
  if (other) throw refersTo(other.file_name, `“${name}” in this file`);
  if (chunks !== null || !shape || shape.length === 0 || shape.includes(0)) return;
  try {
    dataset.slice(shape.map(() => [0, 1]));
  } catch {
    // A type that cannot be read, or damage: an error of the variable, once its values are read.
  }
}

function dimensionOf(name: string, dataset: Dataset): NetcdfDimension {
  const { shape, maxshape } = dataset.metadata;
  return { name, size: shape?.[0] ?? 0, unlimited: isUnlimited(maxshape?.[0]) };
}

/** HDF5 represents "unlimited" by the largest 64-bit number, which the library returns as a double, or as no value. */
function isUnlimited(bound: number | null | undefined): boolean {
  return bound === null || bound === undefined || bound < 0 || bound >= 2 ** 53;
}

function referenceKey({ ref_data }: { readonly ref_data: Uint8Array }): string {
  return ref_data.join(" ");
}

interface NamedDataset {
  readonly dataset: Dataset;
  readonly name: string;
  readonly shape: readonly number[];
  readonly isScale: boolean;
}

/**
 * Returns the names of a variable's dimensions. An axis without an attached scale is named after its size, as netcdf-c
 * does for plain HDF5 files. The attribute with the attached scales is read directly, because the library would search
 * the whole file for the name of each axis.
 */
function axisNames(
  { dataset, name, shape, isScale }: NamedDataset,
  dimensions: Map<string, NetcdfDimension>,
  scales: ReadonlyMap<string, string>,
): string[] {
  const attached = isScale ? [] : attachedScales(dataset);
  return shape.map((size, axis) => {
    const own = attached[axis];
    const scale = own === undefined ? undefined : scales.get(own);
    if (scale !== undefined) return scale;
    if (isScale && axis === 0) return name;
    const phony = `phony_dim_${size}`;
    if (!dimensions.has(phony)) dimensions.set(phony, { name: phony, size, unlimited: false });
    return phony;
  });
}

/** Returns the reference to the first attached scale of each axis. */
function attachedScales(dataset: Dataset): (string | undefined)[] {
  const list: unknown = dataset.attrs["DIMENSION_LIST"]?.value;
  if (!Array.isArray(list)) return [];
  return list.map((references: unknown) => {
    const first: unknown = Array.isArray(references) ? references[0] : undefined;
    const data = (first as { ref_data?: unknown } | undefined)?.ref_data;
    return data instanceof Uint8Array ? referenceKey({ ref_data: data }) : undefined;
  });
}

function typeOf(h5: H5, dataset: Dataset): NetcdfType {
  const { type, size, signed, vlen } = dataset.metadata;
  const classes = h5.Module.H5T_class_t;
  if (type === classes.H5T_STRING.value) return vlen || size !== 1 ? "string" : "char";
  if (type === classes.H5T_FLOAT.value) return size === 8 ? "double" : size === 4 ? "float" : "other";
  if (type !== classes.H5T_INTEGER.value) return "other";
  const name = ({ 1: "byte", 2: "short", 4: "int", 8: "int64" } as const)[size as 1 | 2 | 4 | 8];
  return signed ? name : ({ byte: "ubyte", short: "ushort", int: "uint", int64: "uint64" } as const)[name];
}

function readDataset(h5: H5, variable: NetcdfVariable, dataset: Dataset, slices: readonly AxisSlice[]): NetcdfData {
  if (variable.type === "other") {
    throw new FormatFailure("unreadable", `The variable ${variable.name} has a type that cannot be read.`);
  }
  if (variable.type === "char") return readChars(h5, dataset, slices);
  if (sliceLength(slices) === 0) return emptyOf(variable.type);
  const read = slices.length === 0 ? dataset.value : dataset.slice(slices.map(([a, b]): [number, number] => [a, b]));
  if (typeof read === "string") return [read];
  // The library returns the value of a scalar without its type.
  if (typeof read === "bigint") return variable.type === "uint64" ? BigUint64Array.of(read) : BigInt64Array.of(read);
  if (typeof read === "number") return INT32_TYPES.has(variable.type) ? Int32Array.of(read) : Float64Array.of(read);
  return read as NetcdfData;
}

/** Types whose numbers fit into a 32-bit integer. */
const INT32_TYPES: ReadonlySet<NetcdfType> = new Set(["byte", "ubyte", "short", "ushort", "int"]);

function emptyOf(type: NetcdfType): NetcdfData {
  return type === "string" ? [] : new Float64Array(0);
}

/** Reads bytes, because the high-level call would decode each byte by a Windows code page. */
function readChars(h5: H5, dataset: Dataset, slices: readonly AxisSlice[]): string[] {
  const bytes = sliceLength(slices);
  if (bytes === 0) return [];
  const module = h5.Module;
  const pointer = module._malloc(bytes);
  if (pointer === 0) throw new FormatFailure("tooLarge", "There is not enough memory to read this variable.");
  try {
    const place = slices.length === 0 ? null : slices;
    const count = place?.map(([start, end]) => BigInt(end - start)) ?? null;
    const offset = place?.map(([start]) => BigInt(start)) ?? null;
    const strides = place?.map(() => 1n) ?? null;
    module.get_dataset_data(dataset.file_id, dataset.path, count, offset, strides, BigInt(pointer));
    const last = slices.at(-1);
    return splitTexts(module.HEAPU8.slice(pointer, pointer + bytes), last ? last[1] - last[0] : 1);
  } finally {
    module._free(pointer);
  }
}

function attributesOf(owner: Dataset | File): Record<string, NetcdfAttribute> {
  const found: Record<string, NetcdfAttribute> = {};
  const { attrs } = owner;
  for (const name of Object.keys(attrs)) {
    if (INTERNAL.has(name)) continue;
    const value = attrs[name]?.json_value;
    if (typeof value === "string" || typeof value === "number") found[name] = value;
    else if (Array.isArray(value))
      found[name] = value.length === 1 ? (value[0] as string | number) : (value as number[]);
  }
  return found;
}

const STOPPED =
  "A damaged file stopped the library that reads this one. If it is not this file that is damaged, close it and open it again.";

/** Converts an error of the HDF5 library. */
function readingFailure(thrown: unknown): FormatFailure {
  if (thrown instanceof FormatFailure) return thrown;
  const cause = messageOf(thrown);
  if (/truncated file|addr overflow|end of file/i.test(cause))
    return new FormatFailure("truncated", "This NetCDF file is incomplete: it ends too early.", thrown);
  return new FormatFailure("unreadable", "This NetCDF-4 file cannot be read; it may be damaged.", thrown);
}
