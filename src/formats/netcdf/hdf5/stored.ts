/** A block that is stored as it is holds so many bytes at most. */
const MOST_BYTES = 65_535;
const HEAD_BYTES = 5;
/** What a stream of zlib begins with: deflate with a window of 32 kB, made in a hurry. */
const STREAM_HEAD = [0x78, 0x01];
const ADLER = 65_521;

/** The beginning of a stream of zlib that holds bytes as they are, in pieces; another block has to follow. */
export function storedBlocks(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [Uint8Array.from(STREAM_HEAD)];
  for (let at = 0; at < bytes.length; at += MOST_BYTES) {
    const block = bytes.subarray(at, at + MOST_BYTES);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    pieces.push(head, block);
  }
  return pieces;
}

/** Adler-32 of two pieces of bytes from those of each. */
export function adlerOfBoth(first: number, second: number, secondLength: number): number {
  const low = ((first & 0xffff) + (second & 0xffff) + ADLER - 1) % ADLER;
  const moved = ((secondLength % ADLER) * ((first & 0xffff) + ADLER - 1)) % ADLER;
  const high = ((first >>> 16) + (second >>> 16) + moved) % ADLER;
  return high * 0x10000 + low;
}
