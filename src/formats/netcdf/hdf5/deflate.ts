import { constants, createDeflate } from "node:zlib";

/** Level 4 takes 1.6 times as long and saves a few percent. */
export const DEFLATE_LEVEL = 1;
/** Size of zlib's output buffer: most chunks fit into one, and each further one is another round trip between threads. */
const OUTPUT_BYTES = 1 << 18;

/** Deflates chunks in a thread of Node's pool, one at a time. It keeps its zlib streams, because creating one takes as long as a chunk. */
export class Deflater {
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
