/** Of so many bytes, taken from all over, random ones have about 162 different values. */
const SAMPLE_BYTES = 256;
const NOISE_VALUES = 150;

const seen = new Uint8Array(256);

/** Whether bytes look like the low ones of measured doubles: a look at a few of them costs less than a compressor's. */
export function isNoise(bytes: Uint8Array): boolean {
  if (bytes.length < 4 * SAMPLE_BYTES) return false;
  seen.fill(0);
  let different = 0;
  for (let k = 0; k < SAMPLE_BYTES; k++) {
    const byte = bytes[Math.floor((k * bytes.length) / SAMPLE_BYTES)]!;
    different += 1 - seen[byte]!;
    seen[byte] = 1;
  }
  return different >= NOISE_VALUES;
}
