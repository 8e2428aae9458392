import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { raceTimeout } from "#shared/async.ts";
import type { Patience } from "./patience.ts";

/** The body cannot be read as its own headers say. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly code: "encoding" | "bomb";
  constructor(code: BodyError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** JSON rows shrink ten- to fiftyfold; a body that unpacks to more than this many times its size is an attack. */
const MOST_EXPANSION = 250;
/** Below this size no ratio harms. */
const FREE_BYTES = 8_000_000;
const PIECE_BYTES = 128 * 1_024;

/** BodyQueue of a body as they come, each waited for with patience. */
export async function* endingStalls(body: AsyncIterable<Uint8Array>, patience: Patience): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await patience.wait(pieces.next(), (step) => (step.done === true ? 0 : step.value.length));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}

/** Unpacks a body by its `content-encoding`, piece by piece. */
export function unpacked(body: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const options = { chunkSize: PIECE_BYTES };
  if (name === "gzip" || name === "x-gzip") return through(body, createGunzip(options));
  if (name === "deflate") return through(body, createInflate(options));
  if (name === "br") return through(body, createBrotliDecompress(options));
  throw new BodyError("encoding", `content-encoding ${name}`);
}

async function* through(
  body: AsyncIterable<Uint8Array>,
  unpacker: ReturnType<typeof createGunzip>,
): AsyncGenerator<Uint8Array> {
  let packedBytes = 0;
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      packedBytes += piece.length;
      yield piece;
    }
  }
  const source = Readable.from(counted(), { objectMode: false });
  source.on("error", (error) => unpacker.destroy(error));
  source.pipe(unpacker);
  try {
    for await (const piece of unpacker) {
      const unpackedPiece = piece as Buffer;
      bytes += unpackedPiece.length;
      if (bytes > FREE_BYTES && bytes > MOST_EXPANSION * packedBytes) {
        throw new BodyError("bomb", `${packedBytes} bytes unpack to more than ${bytes}`);
      }
      yield unpackedPiece;
    }
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

/** All of a body as one piece; null where it is longer than `limit` bytes, and the rest is not read then. */
export async function wholeBody(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > limit) return null;
    // Copied: a transport may use the memory of a piece again.
    pieces.push(Uint8Array.prototype.slice.call(piece));
  }
  return Buffer.concat(pieces);
}

/** The first bytes of a body, at most `limit`, that come within some time; whatever follows is not read. */
export async function startOfBody(body: AsyncIterable<Uint8Array>, limit: number, mostMs: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    let bytes = 0;
    for await (const piece of body) {
      pieces.push(Uint8Array.prototype.slice.call(piece, 0, limit - bytes));
      bytes += piece.length;
      if (bytes >= limit) break;
    }
  };
  await raceTimeout(read(), mostMs);
  return Buffer.concat(pieces);
}
