import { type FileHandle, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { constants, createDeflate } from "node:zlib";
import { bytesOf } from "#shared/arrays.ts";
import { defined } from "#shared/defined.ts";

/**
 * Writes all buffers, one after the other, from `address` on. A single call of the system may write only some of the bytes.
 *
 * @returns the address after the last byte
 */
export async function writeAt(file: FileHandle, buffers: readonly Uint8Array[], address: number): Promise<number> {
  let end = address;
  let remaining = buffers.filter((buffer) => buffer.length > 0);
  while (remaining.length > 0) {
    let { bytesWritten } = await file.writev(remaining, end);
    end += bytesWritten;
    remaining = remaining.flatMap((buffer) => {
      const written = Math.min(bytesWritten, buffer.length);
      bytesWritten -= written;
      return written < buffer.length ? [buffer.subarray(written)] : [];
    });
  }
  return end;
}

/** Values that show whether a chunk repeats its values. */
const SAMPLE = 1_024;
/** Bit of a chunk's filter mask: HDF5 skips the first filter, shuffle. */
const NO_SHUFFLE = 1;

/**
 * Fills `target` with a chunk for the deflate filter: the values, and zeros after them. Values that repeat (those with few
 * decimals) compress best unshuffled. Of others, only the high bytes are alike, so HDF5's shuffle filter groups the bytes
 * of all values by their position.
 *
 * @param target eight bytes for each element of the chunk, at the start of its buffer
 * @returns the filter mask of the chunk
 */
function fillChunk(values: Float64Array, target: Uint8Array): number {
  const bytes = bytesOf(values);
  if (repeats(values)) {
    target.set(bytes);
    target.fill(0, bytes.length);
    return NO_SHUFFLE;
  }
  const elements = target.length / 8;
  for (let position = 0; position < 8; position++) {
    const from = position * elements;
    const to = from + values.length;
    for (let source = position, i = from; i < to; i++, source += 8) target[i] = bytes[source]!;
    target.fill(0, to, from + elements);
  }
  return 0;
}

function repeats(values: Float64Array): boolean {
  const from = Math.max(0, (values.length - SAMPLE) >> 1);
  const sample = values.subarray(from, from + SAMPLE);
  return new Set(sample).size < sample.length / 2;
}

/** Chunks compressed at the same time. Node's pool has four threads, and more threads than processors do not help. */
const PARALLEL_CHUNKS = Math.max(2, Math.min(4, availableParallelism()));
/** Bytes of chunks in progress: enough to keep all processors busy, little enough to keep memory flat. */
const MAX_QUEUED_BYTES = 3 << 20;

const NO_OUTPUT: Promise<readonly Uint8Array[]> = Promise.resolve([]);

/** Called with the location of a stored chunk, its compressed size in bytes and its filter mask. */
type OnStored = (address: number, bytes: number, filterMask: number) => void;

/**
 * Compresses chunks in parallel outside of this thread, and appends them to a file in the order of the calls. A failure is
 * thrown by the next call.
 */
export class ChunkStream {
  /** Used in turn. `last` is the latest chunk of each. */
  readonly #deflaters = Array.from({ length: PARALLEL_CHUNKS }, () => ({ deflater: new Deflater(), last: NO_OUTPUT }));
  /** Buffers of written chunks, for reuse. */
  readonly #freeBuffers: Uint8Array[] = [];
  readonly #file: Promise<FileHandle>;
  #end: number;
  #count = 0;
  /** Resolves when all chunks so far are written; never rejects. */
  #writes: Promise<void>;
  #queuedBytes = 0;
  #failure: unknown = null;
  #wake: () => void = () => {};

  /**
   * @param path of a file that is created, or truncated
   * @param start address of the first chunk
   */
  constructor(path: string, start: number) {
    this.#file = open(path, "w+");
    this.#end = start;
    this.#writes = this.#recordingFailure(async () => void (await this.#file));
  }

  /**
   * Appends a chunk of `elements` doubles. Values are copied.
   *
   * @param values those within the variable's extent
   */
  append(values: Float64Array, elements: number, onStored: OnStored): void {
    this.#check();
    const bytes = 8 * elements;
    const free = this.#freeBuffers.pop();
    const buffer = free && free.length >= bytes ? free : new Uint8Array(bytes);
    const chunk = buffer.subarray(0, bytes);
    const filterMask = fillChunk(values, chunk);
    const next = defined(this.#deflaters[this.#count++ % PARALLEL_CHUNKS]);
    const deflated = next.last.then(() => next.deflater.deflate(chunk, filterMask === 0));
    next.last = deflated;
    this.#queuedBytes += bytes;
    const before = this.#writes;
    this.#writes = this.#recordingFailure(async () => {
      const [output] = await Promise.all([deflated, before]);
      if (this.#failure !== null) return;
      const start = this.#end;
      this.#end = await writeAt(await this.#file, output, start);
      onStored(start, this.#end - start, filterMask);
      this.#freeBuffers.push(buffer);
      this.#queuedBytes -= bytes;
      this.#wake();
    });
  }

  /** Resolves when the chunks in progress take little memory. */
  async drained(): Promise<void> {
    while (this.#queuedBytes > MAX_QUEUED_BYTES && this.#failure === null) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#check();
  }

  /** Waits for all chunks, calls `complete` with the address after them, and closes the file. */
  async close(complete: (file: FileHandle, end: number) => Promise<void>): Promise<void> {
    await this.#writes;
    for (const { deflater } of this.#deflaters) deflater.close();
    const file = await this.#file.catch(() => null);
    try {
      this.#check();
      if (file) await complete(file, this.#end);
    } finally {
      await file?.close();
    }
  }

  /** Closes the file without the chunks in progress. */
  abandon(): Promise<void> {
    this.#failure ??= new Error("abandoned");
    return this.close(async () => {}).catch(() => undefined);
  }

  async #recordingFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#failure ??= thrown;
      this.#wake();
    }
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

/** Level 4 takes 1.6 times as long and saves a few percent. */
export const DEFLATE_LEVEL = 1;
/** Size of zlib's output buffer: most chunks fit into one, and each further one is another round trip between threads. */
const OUTPUT_BYTES = 1 << 18;

/** Deflates chunks in a thread of Node's pool, one at a time. It keeps its zlib streams, because creating one takes as long as a chunk. */
class Deflater {
  readonly #unshuffled = reusable(constants.Z_DEFAULT_STRATEGY);
  /** In shuffled bytes, runs are nearly all that can be compressed. */
  readonly #shuffled = reusable(constants.Z_RLE);

  /** Returns a complete zlib stream, as HDF5's deflate filter reads it, in one or more buffers. */
  deflate(bytes: Uint8Array, isShuffled: boolean): Promise<readonly Uint8Array[]> {
    return (isShuffled ? this.#shuffled : this.#unshuffled).deflate(bytes);
  }

  close(): void {
    for (const stream of [this.#unshuffled, this.#shuffled]) stream.close();
  }
}

interface ReusableStream {
  deflate(bytes: Uint8Array): Promise<readonly Uint8Array[]>;
  close(): void;
}

/** A zlib stream that is created on first use and reset after each chunk. */
function reusable(strategy: number): ReusableStream {
  let stream: ReturnType<typeof createDeflate> | null = null;
  let output: Uint8Array[] = [];
  let fail: ((reason: Error) => void) | null = null;
  const start = (): ReturnType<typeof createDeflate> =>
    // With this flush mode, each write produces a complete stream.
    createDeflate({ level: DEFLATE_LEVEL, strategy, flush: constants.Z_FINISH, chunkSize: OUTPUT_BYTES })
      .on("data", (bytes: Uint8Array) => void output.push(bytes))
      .on("error", (reason) => fail?.(reason));
  return {
    deflate: (bytes) =>
      new Promise((resolve, reject) => {
        const current = (stream ??= start());
        fail = reject;
        current.write(bytes, (reason) => {
          if (reason) return reject(reason);
          current.reset();
          resolve(output);
          output = [];
        });
      }),
    close: () => stream?.close(),
  };
}
