import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { raceTimeout } from "#shared/async.ts";
import type { StallTimeout } from "./stallTimeout.ts";

/** The body contradicts its own headers. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly code: "encoding" | "bomb";
  constructor(code: BodyError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** JSON rows compress ten- to fiftyfold; a body that expands to more than this multiple of its size is an attack. */
const MAX_EXPANSION = 250;
/** Below this size any ratio is harmless. */
const FREE_BYTES = 8_000_000;
const CHUNK_BYTES = 128 * 1_024;

/** Yields the chunks of a body, each within the stall timeout. */
export async function* withStallTimeout(
  body: AsyncIterable<Uint8Array>,
  stallTimeout: StallTimeout,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await stallTimeout.wait(chunks.next(), (step) => (step.done === true ? 0 : step.value.length));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Decompresses a body by its `content-encoding`, chunk by chunk. */
export function decompressed(body: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const options = { chunkSize: CHUNK_BYTES };
  if (name === "gzip" || name === "x-gzip") return through(body, createGunzip(options));
  if (name === "deflate") return through(body, createInflate(options));
  if (name === "br") return through(body, createBrotliDecompress(options));
  throw new BodyError("encoding", `content-encoding ${name}`);
}

async function* through(
  body: AsyncIterable<Uint8Array>,
  decompressor: ReturnType<typeof createGunzip>,
): AsyncGenerator<Uint8Array> {
  let packedBytes = 0;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      packedBytes += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(counted(), { objectMode: false });
  source.on("error", (error) => decompressor.destroy(error));
  source.pipe(decompressor);
  try {
    for await (const decompressedChunk of decompressor) {
      const chunk = decompressedChunk as Buffer;
      bytes += chunk.length;
      if (bytes > FREE_BYTES && bytes > MAX_EXPANSION * packedBytes) {
        throw new BodyError("bomb", `${packedBytes} bytes unpack to more than ${bytes}`);
      }
      yield chunk;
    }
  } finally {
    source.destroy();
    decompressor.destroy();
  }
}

/** Reads a whole body into one buffer; null if it is longer than `limit` bytes, without reading the rest. */
export async function readWholeBody(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) return null;
    // Copied: a transport may reuse the memory of a chunk.
    chunks.push(Uint8Array.prototype.slice.call(chunk));
  }
  return Buffer.concat(chunks);
}

/** Reads at most `limit` bytes of a body within `maxMs`; whatever follows is not read. */
export async function readBodyStart(body: AsyncIterable<Uint8Array>, limit: number, maxMs: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    let bytes = 0;
    for await (const chunk of body) {
      chunks.push(Uint8Array.prototype.slice.call(chunk, 0, limit - bytes));
      bytes += chunk.length;
      if (bytes >= limit) break;
    }
  };
  await raceTimeout(read(), maxMs);
  return Buffer.concat(chunks);
}
