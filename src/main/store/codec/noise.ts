/** A sample of 256 random bytes has about 162 distinct values. */
const SAMPLE_BYTES = 256;
const NOISE_VALUES = 150;

const seen = new Uint8Array(256);

/**
 * Whether bytes are probably incompressible, like the low bytes of measured doubles: 256 bytes of them, evenly
 * distributed, have at least 150 distinct values. Much cheaper than an attempt to compress them.
 */
export function isNoise(bytes: Uint8Array): boolean {
  if (bytes.length < 4 * SAMPLE_BYTES) return false;
  seen.fill(0);
  let distinct = 0;
  for (let k = 0; k < SAMPLE_BYTES; k++) {
    const byte = bytes[Math.floor((k * bytes.length) / SAMPLE_BYTES)]!;
    distinct += 1 - seen[byte]!;
    seen[byte] = 1;
  }
  return distinct >= NOISE_VALUES;
}
