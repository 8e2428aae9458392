import { DamagedData } from "../errors.ts";

// Every platform that Electron and Node run on is little-endian, so memory is the format.

/** The memory of an array as bytes, not copied. */
export function bytesOf(values: Float64Array | Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** The memory of doubles as 32-bit words, the low one of each first, not copied; they must begin at a multiple of four. */
export function wordsOf(values: Float64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2);
}

/** A copy (`Buffer.slice` would make none), because bytes that come out of a file rarely lie at a multiple of eight. */
export function doublesOf(bytes: Uint8Array): Float64Array {
  if (bytes.length % 8 !== 0) throw new DamagedData("doubles that are not whole");
  return new Float64Array(new Uint8Array(bytes).buffer);
}

/**
 * Memory that is used again with every call, at a multiple of eight: what was computed in it before is lost. Millions of
 * rows would otherwise ask for so much that collecting it takes a tenth of the time.
 */
export function scratch(): (bytes: number) => ArrayBuffer {
  let memory = new ArrayBuffer(0);
  return (bytes) => {
    if (memory.byteLength < bytes) memory = new ArrayBuffer(bytes);
    return memory;
  };
}
