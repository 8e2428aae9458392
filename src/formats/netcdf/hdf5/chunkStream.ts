import { defined } from "#shared/defined.ts";
import { type FileHandle, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Deflater } from "./deflate.ts";
import { fillChunk } from "./shuffle.ts";
import { writeAt } from "./writeAt.ts";

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

  /** Waits for all chunks, calls `complete` with the address behind them, and closes the file. */
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
