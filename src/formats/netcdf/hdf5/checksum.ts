/**
 * The checksum of HDF5's metadata: Bob Jenkins' lookup3 (`hashlittle`) with the seed 0.
 *
 * @returns an unsigned 32-bit number
 */
export function lookup3(bytes: Uint8Array): number {
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
