import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync } from "node:zlib";
import { bytesOf } from "#shared/arrays.ts";
import { defined } from "#shared/defined.ts";
import type { Attributes, NetcdfSink, VariableShape } from "../netcdf/sink.ts";
import { FILL_DOUBLE, withoutNul } from "../netcdf/sink.ts";
import { sourceChanged } from "../source.ts";
import { type ArrayShape, arrayMetadata, groupMetadata, ZSTD_LEVEL } from "./metadata.ts";
import { Shards } from "./shards.ts";

/** Maximum number of chunks compressed concurrently, to limit memory. */
const MAX_PENDING = 8;
/** Stations of a grid per file, and maximum number of chunks per file: a few megabytes, a good size for object stores. */
const SHARD_STATIONS = 64;
const SHARD_CHUNKS = 2_048;
/** Maximum number of chunks per file of one-dimensional arrays. */
const LINE_CHUNKS = 256;

const compress = promisify(zstdCompress);
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } };

/**
 * Writes a Zarr 3 store in a folder, with the variables of a NetCDF file: missing values are NaN, times are integer
 * milliseconds (64 bits), names are strings. Arrays of rows are sharded, and metadata is consolidated.
 */
export class ZarrWriter implements NetcdfSink {
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();
  readonly #arrays = new Map<string, ArrayShape>();
  readonly #shards = new Shards();
  readonly #pending = new Set<Promise<void>>();
  #globals: Attributes = {};
  #failure: unknown = null;
  #bytes = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Lets `fill` write into an empty folder. @returns its value, and the size of all files */
  static async write<T>(
    folder: string,
    fill: (file: NetcdfSink) => Promise<T>,
  ): Promise<{ readonly value: T; readonly bytes: number }> {
    const store = new ZarrWriter(folder);
    try {
      const value = await fill(store);
      await store.#settle(0);
      if (store.#shards.unfinished > 0) throw sourceChanged();
      store.#writeMetadata();
      return { value, bytes: store.#bytes + store.#shards.bytes };
    } finally {
      await Promise.allSettled(store.#pending);
      store.#shards.close();
    }
  }

  globals(attributes: Attributes): void {
    this.#globals = attributes;
  }

  declare(name: string, size: number): void {
    this.#sizes.set(name, size);
  }

  dimension(name: string, size: number): void {
    this.declare(name, size);
  }

  values({ name, dimensions, attributes }: VariableShape, data: Float64Array | Int32Array): void {
    const isDouble = data instanceof Float64Array;
    const plain = isDouble ? data.map((v) => (v === FILL_DOUBLE ? Number.NaN : v)) : data;
    this.#whole(name, { dataType: isDouble ? "float64" : "int32", dimensions, attributes }, bytesOf(plain));
  }

  names(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
    this.#whole(name, { dataType: "string", dimensions: [dimension], attributes }, textBytes(texts));
  }

  strings({ name, dimensions, attributes }: VariableShape, texts: string[]): void {
    this.#whole(name, { dataType: "string", dimensions, attributes }, textBytes(texts));
  }

  doubles({ name, dimensions, attributes, holdsTimes }: VariableShape, chunk: readonly number[]): void {
    const shape = this.#shapeOf(dimensions);
    const [epochs = 1, width] = shape;
    const [alongTime = 1, across = 1] = chunk;
    const stations = width !== undefined && across === 1 ? Math.min(width, SHARD_STATIONS) : 1;
    const maxChunks = stations > 1 ? Math.floor(SHARD_CHUNKS / stations) : LINE_CHUNKS;
    const times = Math.max(1, Math.min(Math.ceil(epochs / alongTime), maxChunks));
    const shard = [alongTime * times, ...(width === undefined ? [] : [across * stations])];
    const dataType = holdsTimes === true ? "int64" : "float64";
    this.#arrays.set(name, { dataType, shape, dimensions, attributes, chunk, shard });
  }

  write(name: string, start: readonly number[], data: Float64Array): void {
    const array = defined(this.#arrays.get(name));
    const cells = array.chunk.reduce((product, size) => product * size, 1);
    const { file, chunks, inside, index } = locationOf(array, start);
    const shard = { path: join(this.#folder, name, "c", file), chunks, inside };
    const bytes = array.dataType === "int64" ? millisecondBytes(data, cells) : valueBytes(data, cells);
    if (bytes === null) return this.#shards.append(shard, index, null);
    const work: Promise<void> = compress(bytes, OPTIONS)
      .then((packed) => this.#shards.append(shard, index, packed))
      .catch((thrown: unknown) => {
        this.#failure ??= thrown;
      })
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  drained(): Promise<void> {
    return this.#settle(MAX_PENDING);
  }

  async #settle(maxPending: number): Promise<void> {
    while (this.#pending.size > maxPending) await Promise.race(this.#pending);
    if (this.#failure !== null) throw this.#failure;
  }

  #shapeOf(dimensions: readonly string[]): number[] {
    return dimensions.map((name) => defined(this.#sizes.get(name)));
  }

  /** Writes an array as one chunk. */
  #whole(name: string, array: Pick<ArrayShape, "dataType" | "dimensions" | "attributes">, bytes: Uint8Array): void {
    const { dimensions } = array;
    const shape = this.#shapeOf(dimensions);
    const chunk = shape.map((size) => Math.max(1, size));
    this.#arrays.set(name, { ...array, shape, chunk, shard: null });
    if (shape.includes(0)) return;
    const folder = join(this.#folder, name, "c", ...shape.slice(1).map(() => "0"));
    const path = shape.length === 0 ? join(this.#folder, name, "c") : join(folder, "0");
    mkdirSync(join(path, ".."), { recursive: true });
    this.#writeFile(path, zstdCompressSync(bytes, OPTIONS));
  }

  #writeMetadata(): void {
    const arrays = new Map([...this.#arrays].map(([name, array]) => [name, arrayMetadata(array)]));
    for (const [name, metadata] of arrays) {
      mkdirSync(join(this.#folder, name), { recursive: true });
      this.#writeFile(join(this.#folder, name, "zarr.json"), jsonBytes(metadata));
    }
    this.#writeFile(join(this.#folder, "zarr.json"), jsonBytes(groupMetadata(this.#globals, arrays)));
  }

  #writeFile(path: string, bytes: Uint8Array): void {
    const descriptor = openSync(path, "wx");
    try {
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    this.#bytes += bytes.length;
  }
}

/** Returns the file of a chunk, its index there, and the number of chunks of the file (`inside`: within the array). */
function locationOf(
  { shape, chunk, shard }: ArrayShape,
  start: readonly number[],
): { readonly file: string; readonly chunks: number; readonly inside: number; readonly index: number } {
  const numbers: number[] = [];
  let [chunks, inside, index] = [1, 1, 0];
  for (const [axis, from] of start.entries()) {
    const [total = 1, length = 1] = [shape[axis], chunk[axis]];
    const size = shard?.[axis] ?? length;
    const perShard = size / length;
    const number = Math.floor(from / size);
    const first = number * size;
    numbers.push(number);
    chunks *= perShard;
    inside *= Math.min(perShard, Math.ceil((total - first) / length));
    index = index * perShard + (from - first) / length;
  }
  return { file: join(...numbers.map(String)), chunks, inside, index };
}

/** Returns the doubles of a whole chunk with NaN for missing values; null if all are missing. */
function valueBytes(data: Float64Array, cells: number): Uint8Array | null {
  const values = new Float64Array(cells).fill(Number.NaN, data.length);
  let isEmpty = true;
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    const isMissing = value === FILL_DOUBLE || Number.isNaN(value);
    values[i] = isMissing ? Number.NaN : value;
    isEmpty &&= isMissing;
  }
  return isEmpty ? null : bytesOf(values);
}

/** Converts seconds to 64-bit integers of milliseconds, as pairs of 32-bit integers, because BigInt is slow. */
function millisecondBytes(seconds: Float64Array, cells: number): Uint8Array {
  const halves = new Int32Array(2 * cells);
  for (let i = 0; i < seconds.length; i++) {
    const ms = Math.round(seconds[i]! * 1_000);
    const upper = Math.floor(ms / 2 ** 32);
    halves[2 * i] = (ms - upper * 2 ** 32) | 0;
    halves[2 * i + 1] = upper;
  }
  return bytesOf(halves);
}

function lengthBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Encodes texts for the codec vlen-utf8: their number, then the length and bytes of each. */
function textBytes(texts: readonly string[]): Uint8Array {
  return Buffer.concat([
    lengthBytes(texts.length),
    ...texts.flatMap((text) => {
      const bytes = Buffer.from(withoutNul(text).toWellFormed());
      return [lengthBytes(bytes.length), bytes];
    }),
  ]);
}

function jsonBytes(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}

/** Whether a folder contains only a store written by an export, so that it may be replaced. */
export async function isOwnStore(folder: string): Promise<boolean> {
  const root = await metadataIn(folder);
  if (typeof (root?.attributes as Record<string, unknown> | undefined)?.["layout_version"] !== "string") return false;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === "zarr.json") continue;
    if (!entry.isDirectory() || (await metadataIn(join(folder, entry.name))) === null) return false;
  }
  return true;
}

async function metadataIn(folder: string): Promise<{ readonly attributes?: unknown } | null> {
  try {
    const found: unknown = JSON.parse(await readFile(join(folder, "zarr.json"), "utf8"));
    const isMetadata = typeof found === "object" && found !== null && "zarr_format" in found;
    return isMetadata ? { attributes: "attributes" in found ? found.attributes : undefined } : null;
  } catch {
    return null;
  }
}
