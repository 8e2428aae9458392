import { DamagedData } from "../errors.ts";

/** Values or bytes of one chunk; ours have a hundredth of it. What claims more would fill the memory. */
const MOST = 2 ** 27;

/** @returns the count @throws DamagedData where no chunk holds so many */
export function bounded(count: number): number {
  if (!(count <= MOST)) throw new DamagedData("a chunk of impossible size");
  return count;
}

/** Bytes that grow as they are written. Numbers are varints: 7 bits a byte, low bits first. */
export interface ByteWriter {
  /** A whole number from 0 to 2^53. */
  unsigned(value: number): void;
  /** A whole number of either sign, up to 2^52. */
  signed(value: number): void;
  bytes(block: Uint8Array): void;
  /** A block with its length before it. */
  block(block: Uint8Array): void;
  /** What was written, in memory of about its own size. Nothing may be written afterwards. */
  finish(): Uint8Array;
}

/** Arrays up to this size lie in the heap of JavaScript, which costs a tenth of asking the system for their memory. */
const IN_HEAP = 64;

export function byteWriter(capacity = IN_HEAP): ByteWriter {
  let buffer = new Uint8Array(capacity);
  let length = 0;
  const reserve = (n: number): void => {
    if (length + n <= buffer.length) return;
    const grown = new Uint8Array(Math.max(buffer.length * 2, length + n));
    grown.set(buffer.subarray(0, length));
    buffer = grown;
  };
  const unsigned = (value: number): void => {
    reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      buffer[length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    buffer[length++] = rest;
  };
  const bytes = (block: Uint8Array): void => {
    reserve(block.length);
    buffer.set(block, length);
    length += block.length;
  };
  return {
    unsigned,
    signed: (value) => unsigned(value < 0 ? -2 * value - 1 : 2 * value),
    bytes,
    block: (block) => {
      unsigned(block.length);
      bytes(block);
    },
    finish: () =>
      length > IN_HEAP && length * 4 >= buffer.length * 3 ? buffer.subarray(0, length) : buffer.slice(0, length),
  };
}

/** Reads what a `ByteWriter` wrote. @throws DamagedData past the end */
export interface ByteReader {
  unsigned(): number;
  signed(): number;
  bytes(n: number): Uint8Array;
  block(): Uint8Array;
  rest(): Uint8Array;
  /** How many bytes were read. */
  at(): number;
}

export function byteReader(source: Uint8Array): ByteReader {
  let at = 0;
  const unsigned = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = source[at++];
      if (byte === undefined || scale > 2 ** 53) throw new DamagedData("a number that does not end");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (n: number): Uint8Array => {
    if (at + n > source.length) throw new DamagedData("bytes that are not there");
    at += n;
    return source.subarray(at - n, at);
  };
  return {
    unsigned,
    signed: () => {
      const value = unsigned();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    },
    bytes,
    block: () => bytes(unsigned()),
    rest: () => bytes(source.length - at),
    at: () => at,
  };
}

/** What a codec made of values, to be written before anything else is encoded. */
export interface Encoding {
  /** Bytes that it takes at most. */
  readonly room: number;
  writeTo(out: ByteWriter): void;
}
