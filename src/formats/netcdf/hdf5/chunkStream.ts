import { type FileHandle, open } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Deflater, type Pieces } from "./deflate.ts";
import { plainChunk } from "./pack.ts";
import { writeAt } from "./writeAt.ts";

/** So many are compressed at a time, by the four threads that Node has for it; more than there are processors only take turns. */
const LANES = Math.max(2, Math.min(4, availableParallelism()));
/** Bytes that may wait: enough that no processor does, few enough that memory stays flat. */
const MOST_WAITING_BYTES = 3 << 20;

const NO_PIECES: Promise<Pieces> = Promise.resolve([]);

/** Told where a chunk went, and which filters it passed over. */
export type Stored = (address: number, bytes: number, filterMask: number) => void;

/**
 * Chunks on their way to the end of a file: compressed side by side outside of this thread, appended in the order in
 * which they come. What fails is thrown by the next call.
 */
export class ChunkStream {
  /** Each chunk is compressed after the one `LANES` before it. */
  readonly #lanes = Array.from({ length: LANES }, () => ({ deflater: new Deflater(), last: NO_PIECES }));
  /** Of chunks that are done, to be filled again. */
  readonly #rooms: Uint8Array[] = [];
  readonly #file: Promise<FileHandle>;
  #end: number;
  #count = 0;
  /** All that is to be done so far; never fails. */
  #work: Promise<void>;
  #waitingBytes = 0;
  #failure: unknown = null;
  #wake: () => void = () => {};

  /**
   * @param path of a file that is emptied, or made
   * @param start where in it the first chunk goes
   */
  constructor(path: string, start: number) {
    this.#file = open(path, "w+");
    this.#end = start;
    this.#work = this.#guarded(async () => void (await this.#file));
  }

  /** Takes a copy of the values of a chunk, of which those that fit into the variable are given. */
  put(values: Float64Array, elements: number, stored: Stored): void {
    this.#check();
    const bytes = 8 * elements;
    const known = this.#rooms.pop();
    const room = known && known.length >= bytes ? known : new Uint8Array(bytes);
    const plain = plainChunk(values, elements, room.subarray(0, bytes));
    const lane = this.#lanes[this.#count++ % LANES]!;
    const packed = lane.last.then(() => lane.deflater.deflate(plain));
    lane.last = packed;
    this.#waitingBytes += bytes;
    const before = this.#work;
    this.#work = this.#guarded(async () => {
      const [pieces] = await Promise.all([packed, before]);
      if (this.#failure !== null) return;
      const start = this.#end;
      this.#end = await writeAt(await this.#file, pieces, start);
      stored(start, this.#end - start, plain.filterMask);
      this.#rooms.push(room);
      this.#waitingBytes -= bytes;
      this.#wake();
    });
  }

  /** Resolves once what waits takes little memory. */
  async drained(): Promise<void> {
    while (this.#waitingBytes > MOST_WAITING_BYTES && this.#failure === null) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#check();
  }

  /** Once all chunks are in the file, lets `complete` write behind them, and closes it. */
  async close(complete: (file: FileHandle, end: number) => Promise<void>): Promise<void> {
    await this.#work;
    for (const { deflater } of this.#lanes) deflater.close();
    const file = await this.#file.catch(() => null);
    try {
      this.#check();
      if (file) await complete(file, this.#end);
    } finally {
      await file?.close();
    }
  }

  /** Closes the file without what still waits. */
  abandon(): Promise<void> {
    this.#failure ??= new Error("abandoned");
    return this.close(async () => {}).catch(() => undefined);
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
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
