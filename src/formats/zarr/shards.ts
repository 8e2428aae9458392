import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { writeFully } from "../fileBytes.ts";

const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** Returns the checksum of RFC 3720 (Castagnoli), for Zarr's codec `crc32c`. */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Maximum number of open files. */
const MAX_OPEN = 64;
/** Offset and length of an absent chunk. */
const ABSENT = 0xffffffffffffffffn;
const SUM_BYTES = 4;

interface Shard {
  readonly path: string;
  /** Offset and length in bytes of each chunk, in C order. */
  readonly index: BigUint64Array;
  /** Number of chunks still to be appended. */
  left: number;
  bytes: number;
  exists: boolean;
}

interface ShardFile {
  readonly path: string;
  /** Number of chunks in the file, inside and outside of the array. */
  readonly chunks: number;
  /** Number of chunks inside the array, after which the file is complete. */
  readonly inside: number;
}

/**
 * The files of arrays with several chunks per file. Chunks are appended in any order; the index follows the last one. A
 * chunk of fill values only is absent, and a file of such chunks is not written.
 */
export class Shards {
  readonly #shards = new Map<string, Shard>();
  readonly #open = new Map<string, number>();
  #bytes = 0;

  /** Size of the complete files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of incomplete files. */
  get unfinished(): number {
    return this.#shards.size;
  }

  /**
   * Appends a chunk to a file.
   *
   * @param index index of the chunk in the file, in C order
   * @param bytes null if all values are missing
   */
  append({ path, chunks, inside }: ShardFile, index: number, bytes: Uint8Array | null): void {
    let shard = this.#shards.get(path);
    if (!shard) {
      shard = { path, index: new BigUint64Array(2 * chunks).fill(ABSENT), left: inside, bytes: 0, exists: false };
      this.#shards.set(path, shard);
    }
    if (bytes !== null) {
      shard.index[2 * index] = BigInt(shard.bytes);
      shard.index[2 * index + 1] = BigInt(bytes.length);
      this.#write(shard, bytes);
    }
    shard.left -= 1;
    if (shard.left === 0) this.#finish(shard);
  }

  #write(shard: Shard, bytes: Uint8Array): void {
    writeFully(this.#descriptor(shard), bytes, shard.bytes);
    shard.bytes += bytes.length;
  }

  #descriptor(shard: Shard): number {
    const { path } = shard;
    const known = this.#open.get(path);
    if (known !== undefined) {
      // Moves it to the end, so that the least recently used file is closed first.
      this.#open.delete(path);
      this.#open.set(path, known);
      return known;
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#close(oldest);
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

  /** Closes all files. */
  close(): void {
    for (const path of this.#open.keys()) this.#close(path);
  }
}
