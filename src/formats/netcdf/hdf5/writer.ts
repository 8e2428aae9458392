import { sourceChanged } from "../../sourceRows.ts";
import { hdf5Library, isStopped } from "../library.ts";
import type { NetcdfSink, VariableShape } from "../sink.ts";
import { chunkIndex, chunksAlong, type Grid, type StoredChunks } from "./chunkIndex.ts";
import { ChunkStream } from "./chunkStream.ts";
import { completeDataset, setEndOfFile, writeAt } from "./header.ts";
import { type H5, Hdf5Structure } from "./structure.ts";

/** A variable whose chunks are written here. */
interface Chunked {
  readonly grid: Grid;
  readonly headerAddress: number;
  readonly chunks: StoredChunks;
}

/**
 * A NetCDF-4 file under work. The HDF5 library writes its structure and lets go of it with the first chunk; the chunks are
 * compressed and appended here, and in the end an index of them. Texts come last, through the library again.
 */
export class Hdf5Writer extends Hdf5Structure implements NetcdfSink {
  readonly #path: string;
  readonly #variables = new Map<string, Chunked>();
  readonly #later: (() => void)[] = [];
  #stream: ChunkStream | null = null;

  private constructor(h5: H5, path: string) {
    super(h5, path);
    this.#path = path;
  }

  /** Empties the file at `path`, lets `fill` write into it, and closes it. */
  static async write<T>(path: string, fill: (file: NetcdfSink) => Promise<T>): Promise<T> {
    const h5 = await hdf5Library();
    let file: Hdf5Writer | null = null;
    try {
      file = new Hdf5Writer(h5, path);
      const value = await fill(file);
      await file.#complete();
      return value;
    } catch (thrown) {
      isStopped(thrown, h5);
      if (file) await file.#abandon();
      throw thrown;
    }
  }

  doubles(shape: VariableShape, chunk: readonly number[]): void {
    const headerAddress = this.empty(shape, chunk);
    const grid = { shape: this.sizes(shape.dimensions), chunk, elementBytes: 8 };
    const count = product(chunksAlong(grid));
    const chunks = {
      addresses: new Float64Array(count),
      bytes: new Uint32Array(count),
      filterMasks: new Uint8Array(count),
    };
    this.#variables.set(shape.name, { grid, headerAddress, chunks });
  }

  write(name: string, start: readonly number[], data: Float64Array): void {
    const stream = this.#begin();
    const { grid, chunks } = this.#variables.get(name)!;
    const along = chunksAlong(grid);
    const number = start.reduce((index, from, axis) => index * along[axis]! + from / grid.chunk[axis]!, 0);
    stream.put(data, product(grid.chunk), (address, bytes, filterMask) => {
      chunks.addresses[number] = address;
      chunks.bytes[number] = bytes;
      chunks.filterMasks[number] = filterMask;
    });
  }

  async drained(): Promise<void> {
    await this.#stream?.drained();
  }

  override strings(shape: VariableShape, texts: string[]): void {
    if (this.#stream) this.#later.push(() => super.strings(shape, texts));
    else super.strings(shape, texts);
  }

  /** The library lets go of the file, before the first chunk. */
  #begin(): ChunkStream {
    if (!this.#stream) this.close();
    return (this.#stream ??= new ChunkStream(this.#path));
  }

  async #complete(): Promise<void> {
    await this.#begin().close(async (file, end) => {
      let address = end;
      for (const { grid, headerAddress, chunks } of this.#variables.values()) {
        if (chunks.bytes.includes(0)) throw sourceChanged();
        const { bytes, root } = chunkIndex(grid, chunks, address);
        await writeAt(file, bytes, address);
        await completeDataset(file, headerAddress, grid, root);
        address += bytes.length;
      }
      await setEndOfFile(file, address);
    });
    if (this.#later.length === 0) return;
    this.reopen();
    for (const write of this.#later) write();
    this.close();
  }

  /** After a failure closing often fails for the same reason, which must not hide the first one. */
  async #abandon(): Promise<void> {
    if (this.#stream) return this.#stream.abandon();
    try {
      this.close();
    } catch {
      // The file is thrown away anyway.
    }
  }
}

function product(factors: readonly number[]): number {
  return factors.reduce((a, b) => a * b, 1);
}
