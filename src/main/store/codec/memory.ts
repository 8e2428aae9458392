import { DamagedData } from "../errors.ts";

// All platforms of Electron and Node are little-endian, so arrays are stored as they are in memory.

/**
 * Returns the memory of doubles as 32-bit words, the low one of each first, without copying. It must begin at a
 * multiple of four.
 */
export function wordsOf(values: Float64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2);
}

/**
 * Copies bytes to doubles (`Buffer.slice` would not copy), because bytes of a file rarely begin at a multiple of eight.
 */
export function doublesOf(bytes: Uint8Array): Float64Array {
  if (bytes.length % 8 !== 0) throw new DamagedData("doubles that are not whole");
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
