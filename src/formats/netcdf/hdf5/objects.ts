import { type Message, u16, u32, u64, UNDEFINED } from "./messages.ts";

/**
 * The checksum of HDF5's metadata: Bob Jenkins' lookup3 (`hashlittle`) with the seed 0.
 *
 * @returns an unsigned 32-bit number
 */
function lookup3(bytes: Uint8Array): number {
  let a = (0xdeadbeef + bytes.length) | 0;
  let b = a;
  let c = a;
  // The last block of twelve bytes is padded with zeros.
  const padded = new Uint8Array(Math.ceil(bytes.length / 12) * 12);
  padded.set(bytes);
  const words = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 12) {
    a = (a + words.getInt32(at, true)) | 0;
    b = (b + words.getInt32(at + 4, true)) | 0;
    c = (c + words.getInt32(at + 8, true)) | 0;
    if (at + 12 < padded.length) {
      a = ((a - c) | 0) ^ rotateLeft(c, 4);
      c = (c + b) | 0;
      b = ((b - a) | 0) ^ rotateLeft(a, 6);
      a = (a + c) | 0;
      c = ((c - b) | 0) ^ rotateLeft(b, 8);
      b = (b + a) | 0;
      a = ((a - c) | 0) ^ rotateLeft(c, 16);
      c = (c + b) | 0;
      b = ((b - a) | 0) ^ rotateLeft(a, 19);
      a = (a + c) | 0;
      c = ((c - b) | 0) ^ rotateLeft(b, 4);
      b = (b + a) | 0;
    }
  }
  if (bytes.length === 0) return c >>> 0;
  c = ((c ^ b) - rotateLeft(b, 14)) | 0;
  a = ((a ^ c) - rotateLeft(c, 11)) | 0;
  b = ((b ^ a) - rotateLeft(a, 25)) | 0;
  c = ((c ^ b) - rotateLeft(b, 16)) | 0;
  a = ((a ^ c) - rotateLeft(c, 4)) | 0;
  b = ((b ^ a) - rotateLeft(a, 14)) | 0;
  c = ((c ^ b) - rotateLeft(b, 24)) | 0;
  return c >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

export const SUPERBLOCK_BYTES = 48;

/** Attributes keep their creation order, limits for storing them in the header follow, and the header size has 4 bytes. */
const HEADER_FLAGS = 0x1e;
/** HDF5 reads at least this many bytes of a heap. */
const MIN_HEAP_BYTES = 4_096;
const HEAP_HEAD_BYTES = 16;

/** The first bytes of a file. @param root address of the root group's header */
export function superblock(root: number, endOfFile: number): Uint8Array {
  return withChecksum([
    Buffer.from("\x89HDF\r\n\x1a\n\x02\x08\x08\x00", "latin1"),
    u64(0),
    u64(UNDEFINED),
    u64(endOfFile),
    u64(root),
  ]);
}

/** An object header, version 2. */
export function objectHeader(messages: readonly Message[]): Uint8Array {
  let attributes = 0;
  const content = messages.flatMap(({ type, content: bytes }) => [
    Uint8Array.of(type),
    u16(bytes.length),
    // Datatype and fill value are constant.
    Uint8Array.of(type === 3 || type === 5 ? 1 : 0),
    u16(type === 12 ? attributes++ : 0),
    bytes,
  ]);
  const size = content.reduce((sum, bytes) => sum + bytes.length, 0);
  const head = [Buffer.from("OHDR\x02", "latin1"), Uint8Array.of(HEADER_FLAGS, 0xff, 0xff, 0, 0), u32(size)];
  return withChecksum([...head, ...content]);
}

/** A global heap. Entries are numbered from 1, with 16 bits. */
export function globalHeap(contents: readonly Uint8Array[]): Uint8Array {
  const entries = contents.map((bytes, i) => {
    const padding = new Uint8Array(-bytes.length & 7);
    return Buffer.concat([u16(i + 1), u16(1), u32(0), u64(bytes.length), bytes, padding]);
  });
  const used = entries.reduce((sum, entry) => sum + entry.length, HEAP_HEAD_BYTES);
  const size = Math.max(MIN_HEAP_BYTES, used + HEAP_HEAD_BYTES);
  const free = [u16(0), u16(0), u32(0), u64(size - used)];
  const heap = Buffer.concat([Buffer.from("GCOL\x01\0\0\0", "latin1"), u64(size), ...entries, ...free]);
  return Buffer.concat([heap, Buffer.alloc(size - heap.length)]);
}

/** Appends the checksum. */
function withChecksum(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([bytes, u32(lookup3(bytes))]);
}
