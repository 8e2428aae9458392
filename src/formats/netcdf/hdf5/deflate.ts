import { constants, createDeflate } from "node:zlib";
import type { Plain } from "./pack.ts";

/** Level 4 takes 1.6 times as long for a few percent less. */
export const DEFLATE_LEVEL = 1;
/** Room for what comes out of a chunk, so that few come out in more than one piece: each is another way back and forth. */
const ROOM_BYTES = 1 << 18;
/** The same of noise. */
const STORED_ROOM_BYTES = 3 << 17;

const HEAD_BYTES = 2;
const SUM_BYTES = 4;
const ADLER = 65_521;

/** Bytes in pieces, to be written one behind the other. */
export type Pieces = readonly Uint8Array[];

/** One compressor after the other for the chunks of a lane: making one anew for each would cost as much as a chunk. */
export class Deflater {
  /** Values that come back: what was there before is searched for. */
  readonly #alike = resettable(DEFLATE_LEVEL, constants.Z_DEFAULT_STRATEGY);
  /** In shuffled bytes zlib looks for runs only, and not at all in those that are noise. */
  readonly #runs = resettable(DEFLATE_LEVEL, constants.Z_RLE);
  readonly #stored = resettable(0, constants.Z_DEFAULT_STRATEGY, STORED_ROOM_BYTES);

  /** A whole stream as the deflate filter reads it, made outside of this thread. One at a time. */
  async deflate({ bytes, filterMask, noiseBytes }: Plain): Promise<Pieces> {
    if (filterMask !== 0) return this.#alike.run(bytes);
    if (noiseBytes === 0) return this.#runs.run(bytes);
    const rest = bytes.subarray(noiseBytes);
    const [noise, packed] = await Promise.all([this.#stored.run(bytes.subarray(0, noiseBytes)), this.#runs.run(rest)]);
    return joined(whole(noise), whole(packed), rest.length);
  }

  close(): void {
    for (const deflater of [this.#alike, this.#runs, this.#stored]) deflater.close();
  }
}

function whole(pieces: Pieces): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first
    ? Buffer.from(first.buffer, first.byteOffset, first.length)
    : Buffer.concat(pieces);
}

/** Two streams as one; the first of blocks that are stored as they are. @param length of what the second was made of */
function joined(stored: Buffer, packed: Buffer, length: number): Pieces {
  // The last block says that it is the last.
  let at = HEAD_BYTES;
  while ((stored[at]! & 1) === 0) at += 5 + stored.readUInt16LE(at + 1);
  stored[at]! &= 0xfe;
  const first = stored.readUInt32BE(stored.length - SUM_BYTES);
  const second = packed.readUInt32BE(packed.length - SUM_BYTES);
  packed.writeUInt32BE(sumOfBoth(first, second, length), packed.length - SUM_BYTES);
  return [stored.subarray(0, -SUM_BYTES), packed.subarray(HEAD_BYTES)];
}

/** Adler-32 of two pieces of bytes from those of each. */
function sumOfBoth(first: number, second: number, secondLength: number): number {
  const low = ((first & 0xffff) + (second & 0xffff) + ADLER - 1) % ADLER;
  const moved = ((secondLength % ADLER) * ((first & 0xffff) + ADLER - 1)) % ADLER;
  const high = ((first >>> 16) + (second >>> 16) + moved) % ADLER;
  return high * 0x10000 + low;
}

interface Resettable {
  run(bytes: Uint8Array): Promise<Pieces>;
  close(): void;
}

/** Made when it is first used. */
function resettable(level: number, strategy: number, chunkSize = ROOM_BYTES): Resettable {
  let stream: ReturnType<typeof createDeflate> | null = null;
  let pieces: Uint8Array[] = [];
  let failed: ((reason: Error) => void) | null = null;
  const start = (): ReturnType<typeof createDeflate> =>
    // Whatever is written is a whole stream.
    createDeflate({ level, strategy, flush: constants.Z_FINISH, chunkSize })
      .on("data", (piece: Uint8Array) => void pieces.push(piece))
      .on("error", (reason) => failed?.(reason));
  return {
    run: (bytes) =>
      new Promise((resolve, reject) => {
        const one = (stream ??= start());
        failed = reject;
        one.write(bytes, (reason) => {
          if (reason) return reject(reason);
          one.reset();
          resolve(pieces);
          pieces = [];
        });
      }),
    close: () => stream?.close(),
  };
}
