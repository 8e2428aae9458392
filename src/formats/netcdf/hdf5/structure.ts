import type { Dataset, File } from "h5wasm/node";
import { FormatFailure } from "../../error.ts";
import { type Attributes, charCells, chunkOf, type VariableShape, withoutNul } from "../sink.ts";
import { ROOM_FOR_FILTERS } from "./header.ts";

export type H5 = typeof import("h5wasm/node");

interface Dimension {
  readonly size: number;
  readonly unlimited: boolean;
}

/**
 * The structure of a NetCDF-4 file the way netcdf-c lays it out in HDF5: dimensions are dimension scales, and every axis
 * of a variable is attached to one. Small variables come with their values, large ones have no chunk yet.
 */
export class Hdf5Structure {
  readonly #h5: H5;
  readonly #path: string;
  readonly #dimensions = new Map<string, Dimension>();
  #file: File;

  /** Empties the file at `path`, or makes it. */
  constructor(h5: H5, path: string) {
    this.#h5 = h5;
    this.#path = path;
    // Creation order is how netcdf-c knows the order of dimensions and variables.
    this.#file = new h5.File(path, "w", { track_order: true });
  }

  /** The file is whole then, and nobody has it open. */
  close(): void {
    this.#file.flush();
    this.#file.close();
  }

  reopen(): void {
    this.#file = new this.#h5.File(this.#path, "a");
  }

  globals(attributes: Attributes): void {
    writeAttributes(this.#file, attributes);
  }

  /** Declares a dimension that gets a coordinate variable of the same name later. */
  declare(name: string, size: number, unlimited = false): void {
    this.#dimensions.set(name, { size, unlimited });
  }

  /** Declares a dimension that has no variable of its name. */
  dimension(name: string, size: number): void {
    this.declare(name, size);
    const scale = this.#createEmpty(name, [name], [chunkOf(size)], "<f");
    scale.make_scale(`This is a netCDF dimension but not a netCDF variable.${String(size).padStart(10)}`);
  }

  /** A numeric variable with its values, for the small ones. Scalar where it has no dimension. */
  values(shape: VariableShape, data: Float64Array | Int32Array): void {
    const dataset = this.#file.create_dataset({
      name: shape.name,
      data,
      shape: this.sizes(shape.dimensions),
      dtype: data instanceof Int32Array ? "<i" : "<d",
      track_order: true,
    });
    this.#finish(shape, dataset);
  }

  /**
   * A double variable without any chunk.
   *
   * @returns where in the file its header stands
   */
  empty(shape: VariableShape, chunk: readonly number[]): number {
    const filters = { compression: this.#h5.Module.H5Z_FILTER_DEFLATE, compression_opts: [...ROOM_FOR_FILTERS] };
    this.#finish(shape, this.#createEmpty(shape.name, shape.dimensions, chunk, "<d", filters));
    const reference = this.#h5.Module.create_object_reference(this.#file.file_id, `/${shape.name}`);
    return Number(Buffer.from(reference).readBigUInt64LE());
  }

  /** One text per element of `dimension`, as char(dimension, <name>_strlen) in UTF-8: what the oldest tools read too. */
  chars(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
    const { width, cells } = charCells(texts);
    this.dimension(`${name}_strlen`, width);
    const shape = {
      name,
      dimensions: [dimension, `${name}_strlen`],
      attributes: { ...attributes, _Encoding: "utf-8" },
    };
    this.#createChars(name, this.sizes(shape.dimensions), cells);
    this.#finish(shape, this.#file.get(name) as Dataset);
  }

  /** Texts of any length, all at once: this kind of variable can neither grow nor be compressed. */
  strings(shape: VariableShape, texts: string[]): void {
    const sizes = this.sizes(shape.dimensions);
    const unlimited = shape.dimensions.some((d) => this.#dimensions.get(d)!.unlimited);
    const dataset = this.#file.create_dataset({
      name: shape.name,
      data: texts,
      shape: sizes,
      dtype: "S",
      track_order: true,
      ...(unlimited
        ? {
            maxshape: this.#maxSizes(shape.dimensions),
            chunks: sizes.map((n, axis) => (axis === sizes.length - 1 ? chunkOf(n) : 1)),
          }
        : {}),
    });
    this.#finish(shape, dataset);
  }

  sizes(dimensions: readonly string[]): number[] {
    return dimensions.map((d) => this.#dimensions.get(d)!.size);
  }

  #maxSizes(dimensions: readonly string[]): (number | null)[] {
    return dimensions.map((d) => (this.#dimensions.get(d)!.unlimited ? null : this.#dimensions.get(d)!.size));
  }

  /** Created with no extent and grown afterwards, so that nothing is stored until it is written. */
  #createEmpty(
    name: string,
    dimensions: readonly string[],
    chunks: readonly number[],
    dtype: "<d" | "<f",
    filters: { readonly compression?: number; readonly compression_opts?: number[] } = {},
  ): Dataset {
    const dataset = this.#file.create_dataset({
      name,
      data: dtype === "<d" ? new Float64Array(0) : new Float32Array(0),
      shape: dimensions.map(() => 0),
      maxshape: this.#maxSizes(dimensions),
      chunks: [...chunks],
      dtype,
      track_order: true,
      ...filters,
    });
    dataset.resize(this.sizes(dimensions));
    return dataset;
  }

  #finish(shape: VariableShape, dataset: Dataset): void {
    if (shape.dimensions.length === 1 && shape.dimensions[0] === shape.name) {
      dataset.make_scale(shape.name);
    } else {
      shape.dimensions.forEach((dimension, axis) => dataset.attach_scale(axis, `/${dimension}`));
    }
    writeAttributes(dataset, shape.attributes);
  }

  /** The high-level call would encode each byte once more as a character. */
  #createChars(name: string, sizes: readonly number[], cells: Uint8Array): void {
    const module = this.#h5.Module;
    const pointer = module._malloc(cells.length);
    if (pointer === 0) throw new FormatFailure("tooLarge", "There is not enough memory for the names of the stations.");
    try {
      module.HEAPU8.set(cells, pointer);
      const extent = sizes.map(BigInt);
      module.create_dataset(this.#file.file_id, `/${name}`, BigInt(pointer), {
        type: module.H5T_class_t.H5T_STRING.value,
        size: 1,
        cset: 0,
        signed: false,
        vlen: false,
        littleEndian: true,
        total_size: cells.length,
        shape: extent,
        maxshape: extent,
        track_order: true,
      } as Parameters<typeof module.create_dataset>[3]);
    } finally {
      module._free(pointer);
    }
  }
}

function writeAttributes(owner: File | Dataset, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === "") continue;
    if (typeof value === "number") owner.create_attribute(name, [value], [1], "<d");
    else if (typeof value !== "string") owner.create_attribute(name, [...value], [value.length], "<i");
    else writeText(owner, name, withoutNul(value));
  }
}

function writeText(owner: File | Dataset, name: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  const kind = bytes === text.length ? "A" : "S";
  owner.create_attribute(name, text, null, `${kind}${bytes}`);
}
