import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** The checksum of RFC 3720 (Castagnoli), as the codec `crc32c` of Zarr appends it. */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Files that are open at a time; one that is full is closed. */
const MOST_OPEN = 64;
/** Offset and length of a chunk that is not there. */
const ABSENT = 0xffffffffffffffffn;
const SUM_BYTES = 4;

interface Shard {
  readonly path: string;
  /** Offset and length in bytes of each chunk, in C order. */
  readonly index: BigUint64Array;
  /** Chunks that have not come. */
  left: number;
  bytes: number;
  exists: boolean;
}

/**
 * The files of all arrays whose chunks lie several in a file. Chunks come in any order and are appended; the index follows
 * the last one. A chunk of nothing but fill values has no bytes, a file of such chunks is not written.
 */
export class Shards {
  readonly #shards = new Map<string, Shard>();
  readonly #open = new Map<string, number>();
  #bytes = 0;

  /** Bytes of the files that are complete. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Files with chunks that have not come. */
  get unfinished(): number {
    return this.#shards.size;
  }

  /**
   * @param chunks of the file, whether they lie within the array or not
   * @param inside of them those that do: the file is complete when so many have come
   * @param bytes null where all values are missing
   */
  append(path: string, chunks: number, inside: number, place: number, bytes: Uint8Array | null): void {
    let shard = this.#shards.get(path);
    if (!shard) {
      shard = { path, index: new BigUint64Array(2 * chunks).fill(ABSENT), left: inside, bytes: 0, exists: false };
      this.#shards.set(path, shard);
    }
    if (bytes !== null) {
      shard.index[2 * place] = BigInt(shard.bytes);
      shard.index[2 * place + 1] = BigInt(bytes.length);
      this.#write(shard, bytes);
    }
    shard.left -= 1;
    if (shard.left === 0) this.#finish(shard);
  }

  #write(shard: Shard, bytes: Uint8Array): void {
    const descriptor = this.#descriptor(shard);
    for (let done = 0; done < bytes.length;)
      done += writeSync(descriptor, bytes, done, bytes.length - done, shard.bytes + done);
    shard.bytes += bytes.length;
  }

  #descriptor(shard: Shard): number {
    const { path } = shard;
    const known = this.#open.get(path);
    if (known !== undefined) {
      // The one that was used last is the last to be closed.
      this.#open.delete(path);
      this.#open.set(path, known);
      return known;
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MOST_OPEN && oldest !== undefined) this.#close(oldest);
    if (!shard.exists) mkdirSync(dirname(path), { recursive: true });
    const opened = openSync(path, shard.exists ? "r+" : "wx");
    shard.exists = true;
    this.#open.set(path, opened);
    return opened;
  }

  #finish(shard: Shard): void {
    this.#shards.delete(shard.path);
    if (shard.bytes === 0) return;
    const index = new Uint8Array(shard.index.buffer);
    const tail = new Uint8Array(index.length + SUM_BYTES);
    tail.set(index);
    new DataView(tail.buffer).setUint32(index.length, crc32c(index), true);
    this.#write(shard, tail);
    this.#bytes += shard.bytes;
    fsyncSync(this.#descriptor(shard));
    this.#close(shard.path);
  }

  #close(path: string): void {
    const descriptor = this.#open.get(path);
    this.#open.delete(path);
    if (descriptor !== undefined) closeSync(descriptor);
  }

  /** Closes all files: their folder is about to be removed, or all are complete. */
  close(): void {
    for (const path of this.#open.keys()) this.#close(path);
  }
}
