import { constants, createDeflate } from "node:zlib";
import type { Plain } from "./pack.ts";
import { adlerOfBoth, storedBlocks } from "./stored.ts";

/** Level 4 takes 1.6 times as long for a few percent less. */
export const DEFLATE_LEVEL = 1;
/** Room for what comes out of a chunk, so that few come out in more than one piece: each is another way back and forth. */
const ROOM_BYTES = 1 << 18;

const HEAD_BYTES = 2;
const SUM_BYTES = 4;

/** Bytes in pieces, to be written one behind the other. */
export type Pieces = readonly Uint8Array[];

/** One compressor after the other for the chunks of a lane: making one anew for each would cost as much as a chunk. */
export class Deflater {
  /** Values that come back: what was there before is searched for. */
  readonly #alike = resettable(constants.Z_DEFAULT_STRATEGY);
  /** In shuffled bytes zlib looks for runs only, and never sees those that are noise. */
  readonly #runs = resettable(constants.Z_RLE);

  /** A whole stream as the deflate filter reads it, made outside of this thread; some of it are the given bytes. One at a time. */
  async deflate({ bytes, filterMask, noise }: Plain): Promise<Pieces> {
    if (filterMask !== 0) return this.#alike.run(bytes);
    if (noise === null) return this.#runs.run(bytes);
    const rest = bytes.subarray(noise.bytes);
    const packed = whole(await this.#runs.run(rest));
    const sumAt = packed.length - SUM_BYTES;
    packed.writeUInt32BE(adlerOfBoth(noise.adler, packed.readUInt32BE(sumAt), rest.length), sumAt);
    return [...storedBlocks(bytes.subarray(0, noise.bytes)), packed.subarray(HEAD_BYTES)];
  }

  close(): void {
    for (const deflater of [this.#alike, this.#runs]) deflater.close();
  }
}

function whole(pieces: Pieces): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first
    ? Buffer.from(first.buffer, first.byteOffset, first.length)
    : Buffer.concat(pieces);
}

interface Resettable {
  run(bytes: Uint8Array): Promise<Pieces>;
  close(): void;
}

/** Made when it is first used. */
function resettable(strategy: number): Resettable {
  let stream: ReturnType<typeof createDeflate> | null = null;
  let pieces: Uint8Array[] = [];
  let failed: ((reason: Error) => void) | null = null;
  const start = (): ReturnType<typeof createDeflate> =>
    // Whatever is written is a whole stream.
    createDeflate({ level: DEFLATE_LEVEL, strategy, flush: constants.Z_FINISH, chunkSize: ROOM_BYTES })
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
