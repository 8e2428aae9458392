import { DamagedData } from "../errors.ts";

/** Maximum number of values or bytes of a chunk, a hundred times ours: a damaged count must not exhaust memory. */
const MAX_COUNT = 2 ** 27;

/** Returns the count. @throws DamagedData if no chunk has so many */
export function bounded(count: number): number {
  if (!(count <= MAX_COUNT)) throw new DamagedData("a chunk of impossible size");
  return count;
}

/** Arrays up to this size are in the JavaScript heap, which costs a tenth of allocating from the system. */
const HEAP_BYTES = 64;

/** A growing array of bytes. Numbers are varints: 7 bits per byte, low bits first. */
export function byteWriter(capacity = HEAP_BYTES) {
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
    /** Writes a whole number from 0 to 2^53. */
    unsigned,
    /** Writes a signed whole number up to 2^52. */
    signed: (value: number): void => unsigned(value < 0 ? -2 * value - 1 : 2 * value),
    bytes,
    /** Writes the length of a block and the block. */
    block: (block: Uint8Array): void => {
      unsigned(block.length);
      bytes(block);
    },
    /** Returns the bytes in an array of about their size. Nothing may be written afterwards. */
    finish: (): Uint8Array =>
      length > HEAP_BYTES && length * 4 >= buffer.length * 3 ? buffer.subarray(0, length) : buffer.slice(0, length),
  };
}

/** Reads the output of a `ByteWriter`. @throws DamagedData after the end */
export function byteReader(source: Uint8Array) {
  let at = 0;
  const unsigned = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = source[at++];
      if (byte === undefined || scale > 2 ** 53) throw new DamagedData("an unterminated number");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (n: number): Uint8Array => {
    if (at + n > source.length) throw new DamagedData("missing bytes");
    at += n;
    return source.subarray(at - n, at);
  };
  return {
    unsigned,
    signed: (): number => {
      const value = unsigned();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    },
    bytes,
    block: (): Uint8Array => bytes(unsigned()),
    rest: (): Uint8Array => bytes(source.length - at),
    /** Returns the number of bytes read. */
    at: (): number => at,
  };
}

export type ByteWriter = ReturnType<typeof byteWriter>;
export type ByteReader = ReturnType<typeof byteReader>;

// All platforms of Electron and Node are little-endian, so arrays are stored as they are in memory.

/**
 * Copies bytes to doubles (`Buffer.slice` would not copy), because bytes of a file rarely begin at a multiple of eight.
 */
export function doublesOf(bytes: Uint8Array): Float64Array {
  if (bytes.length % 8 !== 0) throw new DamagedData("incomplete doubles");
  return new Float64Array(new Uint8Array(bytes).buffer);
}

/**
 * Creates an allocator that returns the same memory with every call, aligned to eight bytes, and overwrites its
 * contents. With millions of rows, garbage collection would otherwise take a tenth of the time.
 */
export function scratch(): (bytes: number) => ArrayBuffer {
  let memory = new ArrayBuffer(0);
  return (bytes) => {
    if (memory.byteLength < bytes) memory = new ArrayBuffer(bytes);
    return memory;
  };
}
