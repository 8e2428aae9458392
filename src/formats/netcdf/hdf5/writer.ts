import type { Dataset, File } from "h5wasm";
import { defined } from "#shared/defined.ts";
import { sourceChanged } from "../../source.ts";
import { changeHdf5 } from "../library.ts";
import { type Attributes, chunkOf, type NetcdfSink, type VariableShape, withoutNul } from "../sink.ts";
import type { LongText } from "./messages.ts";
import { chunkIndex, type Grid, type StoredChunks } from "./chunkIndex.ts";
import { ChunkStream, writeAt } from "./chunkStream.ts";
import { superblock, SUPERBLOCK_BYTES } from "./objects.ts";
import { Hdf5Structure } from "./structure.ts";

/** A variable of texts of any length. */
interface TextVariable {
  readonly shape: VariableShape;
  readonly sizes: readonly number[];
  /** Null for an unlimited axis. */
  readonly maxSizes: readonly (number | null)[];
  readonly texts: string[];
}

/**
 * Adds to a complete file what only the HDF5 library can write: attributes above 64 kB, and variables of texts of any
 * length.
 */
async function addTexts(
  path: string,
  attributes: readonly LongText[],
  variables: readonly TextVariable[],
): Promise<void> {
  if (attributes.length === 0 && variables.length === 0) return;
  await changeHdf5(path, (file) => {
    for (const { owner, name, value } of attributes) {
      writeText(owner === "/" ? file : (file.get(owner) as Dataset), name, withoutNul(value));
    }
    for (const { shape, sizes, maxSizes, texts } of variables) {
      const dataset = file.create_dataset({
        name: shape.name,
        data: texts,
        shape: [...sizes],
        dtype: "S",
        track_order: true,
        ...(maxSizes.includes(null)
          ? {
              maxshape: [...maxSizes],
              chunks: sizes.map((n, axis) => (axis === 0 ? chunkOf(n) : 1)),
            }
          : {}),
      });
      shape.dimensions.forEach((dimension, axis) => dataset.attach_scale(axis, `/${dimension}`));
      writeAttributes(dataset, shape.attributes);
    }
  });
}

function writeAttributes(owner: Dataset, attributes: Attributes): void {
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

interface Chunked {
  readonly grid: Grid;
  readonly chunks: StoredChunks;
  readonly setIndex: (address: bigint) => void;
}

/**
 * Writes a NetCDF-4 file: first the compressed chunks in the order of arrival, then an index of them for each variable, then
 * the structure, then the superblock at the start of the file. The HDF5 library adds texts at the end.
 */
export class Hdf5Writer extends Hdf5Structure implements NetcdfSink {
  readonly #path: string;
  readonly #variables = new Map<string, Chunked>();
  readonly #texts: TextVariable[] = [];
  readonly #stream: ChunkStream;

  private constructor(path: string) {
    super();
    this.#path = path;
    this.#stream = new ChunkStream(path, SUPERBLOCK_BYTES);
  }

  /** Creates or truncates the file at `path`, calls `fill` to write its content, and completes it. */
  static async write<T>(path: string, fill: (file: NetcdfSink) => Promise<T>): Promise<T> {
    const file = new Hdf5Writer(path);
    try {
      const value = await fill(file);
      await file.#complete();
      return value;
    } catch (thrown) {
      await file.#stream.abandon();
      throw thrown;
    }
  }

  strings(shape: VariableShape, texts: string[]): void {
    const { dimensions } = shape;
    this.#texts.push({ shape, sizes: this.sizes(dimensions), maxSizes: this.maxSizes(dimensions), texts });
  }

  doubles(shape: VariableShape, chunk: readonly number[]): void {
    const setIndex = this.chunks(shape, chunk);
    const sizes = this.sizes(shape.dimensions);
    const axes = chunk.map((length, axis) => ({ length, chunks: Math.ceil(defined(sizes[axis]) / length) }));
    const count = product(axes.map((axis) => axis.chunks));
    const chunks = {
      addresses: new Float64Array(count),
      bytes: new Uint32Array(count),
      filterMasks: new Uint8Array(count),
    };
    this.#variables.set(shape.name, { grid: { axes, elementBytes: 8 }, chunks, setIndex });
  }

  write(name: string, start: readonly number[], data: Float64Array): void {
    const { grid, chunks } = defined(this.#variables.get(name));
    const number = grid.axes.reduce((index, { length, chunks: count }, axis) => {
      return index * count + defined(start[axis]) / length;
    }, 0);
    const elements = product(grid.axes.map(({ length }) => length));
    this.#stream.append(data, elements, (address, bytes, filterMask) => {
      chunks.addresses[number] = address;
      chunks.bytes[number] = bytes;
      chunks.filterMasks[number] = filterMask;
    });
  }

  drained(): Promise<void> {
    return this.#stream.drained();
  }

  async #complete(): Promise<void> {
    await this.#stream.close(async (file, end) => {
      let address = end;
      for (const { grid, chunks, setIndex } of this.#variables.values()) {
        if (chunks.bytes.includes(0)) throw sourceChanged();
        const { bytes, root } = chunkIndex(grid, chunks, address);
        await writeAt(file, [bytes], address);
        setIndex(root);
        address += bytes.length;
      }
      const { bytes, root } = this.bytes(address);
      await writeAt(file, [bytes], address);
      await writeAt(file, [superblock(root, address + bytes.length)], 0);
    });
    await addTexts(this.#path, this.longTexts(), this.#texts);
  }
}

function product(factors: readonly number[]): number {
  return factors.reduce((a, b) => a * b, 1);
}
