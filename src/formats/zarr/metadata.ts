import type { Attributes } from "../netcdf/sink.ts";

/** The default level of zstd. */
export const ZSTD_LEVEL = 3;

type DataType = "float64" | "int32" | "int64" | "string";

export interface ArrayShape {
  readonly dataType: DataType;
  readonly shape: readonly number[];
  readonly dimensions: readonly string[];
  readonly attributes: Attributes;
  /** Shape of a compressed chunk. */
  readonly chunk: readonly number[];
  /** Shape of a file of chunks; null if each chunk has its own file. */
  readonly shard: readonly number[] | null;
}

/**
 * The attribute `_FillValue` of a float in the encoding of xarray: the double in base64. Missing values are NaN, which
 * every reader recognizes.
 */
const NAN_IN_BASE64 = Buffer.from(new Float64Array([Number.NaN]).buffer).toString("base64");

/** Returns `zarr.json` of an array, version 3. */
export function arrayMetadata(array: ArrayShape): object {
  const { dataType, shape, dimensions, chunk, shard } = array;
  const inner = [
    dataType === "string" ? { name: "vlen-utf8" } : { name: "bytes", configuration: { endian: "little" } },
    { name: "zstd", configuration: { level: ZSTD_LEVEL, checksum: false } },
  ];
  const sharding = {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: chunk,
      codecs: inner,
      index_codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }],
      index_location: "end",
    },
  };
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shard ?? chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: { float64: "NaN", int32: 0, int64: 0, string: "" }[dataType],
    codecs: shard === null ? inner : [sharding],
    attributes: attributesOf(array),
    dimension_names: dimensions,
  };
}

function attributesOf({ dataType, attributes }: ArrayShape): object {
  const { _FillValue: fill, ...rest } = attributes;
  const units = dataType === "int64" ? { units: MILLISECONDS } : {};
  return {
    ...plainAttributes(rest),
    ...(Object.hasOwn(rest, "units") ? units : {}),
    ...(fill === undefined ? {} : { _FillValue: NAN_IN_BASE64 }),
  };
}

/** Unit of times, which are exact as 64-bit integers. */
const MILLISECONDS = "milliseconds since 1970-01-01T00:00:00Z";

/** Returns `zarr.json` of the root: its attributes and the consolidated metadata, so that a reader needs one request. */
export function groupMetadata(attributes: Attributes, arrays: ReadonlyMap<string, object>): object {
  return {
    zarr_format: 3,
    node_type: "group",
    attributes: plainAttributes(attributes),
    consolidated_metadata: { kind: "inline", must_understand: false, metadata: Object.fromEntries(arrays) },
  };
}

function plainAttributes(attributes: Attributes): object {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, typeof value === "object" ? Array.from(value) : value]],
    ),
  );
}
