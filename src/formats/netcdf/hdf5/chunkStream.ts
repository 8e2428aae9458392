import { type FileHandle, open } from "node:fs/promises";
import { packChunk } from "./kernel/kernel.ts";
import { writeAt } from "./writeAt.ts";

/** What is written at once: small pieces would each cost a way to another thread and back. */
const PIECE_BYTES = 1 << 20;
/** In a chunk's filter mask: the first filter, shuffle, was passed over. */
const WITHOUT_SHUFFLE = 1;

/** Where a chunk is going to lie, and which filters it passed over. */
export interface StoredChunk {
  readonly address: number;
  readonly bytes: number;
  readonly filterMask: number;
}

/** Chunks on their way to the end of a file: compressed here, written outside of this thread. What fails is thrown by the next call. */
export class ChunkStream {
  readonly #file: Promise<FileHandle>;
  /** Rooms for pieces that are in the file. */
  readonly #rooms: Uint8Array[] = [];
  #room: Uint8Array | null = null;
  #filled = 0;
  /** Of the file, all pieces included that are on their way. */
  #sent: number;
  #waiting = 0;
  /** All that is to be done so far; never fails. */
  #work: Promise<void>;
  #failure: unknown = null;

  /**
   * @param path of a file that is emptied, or made
   * @param start where in it the first chunk goes
   */
  constructor(path: string, start: number) {
    this.#file = open(path, "w+");
    this.#sent = start;
    this.#work = this.#guarded(async () => void (await this.#file));
  }

  /** Takes a copy of the values of a chunk, of which those that fit into the variable are given. */
  put(values: Float64Array, elements: number): StoredChunk {
    this.#check();
    const { bytes, isShuffled } = packChunk(values, elements);
    if (this.#room && this.#filled + bytes.length > this.#room.length) this.#send();
    this.#room ??= this.#takeRoom(bytes.length);
    this.#room.set(bytes, this.#filled);
    const address = this.#sent + this.#filled;
    this.#filled += bytes.length;
    return { address, bytes: bytes.length, filterMask: isShuffled ? 0 : WITHOUT_SHUFFLE };
  }

  /** Resolves once what waits takes little memory. */
  async drained(): Promise<void> {
    while (this.#waiting > 1) await this.#work;
    this.#check();
  }

  /** Once all chunks are in the file, lets `complete` write behind them, and closes it. */
  async close(complete: (file: FileHandle, end: number) => Promise<void>): Promise<void> {
    this.#send();
    await this.#work;
    const file = await this.#file.catch(() => null);
    try {
      this.#check();
      if (file) await complete(file, this.#sent);
    } finally {
      await file?.close();
    }
  }

  /** Closes the file without what still waits. */
  abandon(): Promise<void> {
    this.#failure ??= new Error("abandoned");
    return this.close(async () => {}).catch(() => undefined);
  }

  #takeRoom(least: number): Uint8Array {
    const known = this.#rooms.pop();
    return known && known.length >= least ? known : new Uint8Array(Math.max(PIECE_BYTES, least));
  }

  #send(): void {
    const room = this.#room;
    if (room === null) return;
    const piece = room.subarray(0, this.#filled);
    const address = this.#sent;
    this.#room = null;
    this.#filled = 0;
    this.#sent += piece.length;
    this.#waiting++;
    const before = this.#work;
    this.#work = this.#guarded(async () => {
      await before;
      if (this.#failure === null) await writeAt(await this.#file, piece, address);
      this.#rooms.push(room);
      this.#waiting--;
    });
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#failure ??= thrown;
    }
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
