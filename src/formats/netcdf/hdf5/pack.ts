import { isNoise } from "#shared/noise.ts";
import { shuffleKernel } from "./kernel/kernel.ts";

/** So many neighbours tell whether values come back. */
const SAMPLE = 1_024;
/** In a chunk's filter mask: the first filter, shuffle, was passed over. */
const WITHOUT_SHUFFLE = 1;

/** A chunk as the filters take it, its bytes shuffled or not. */
export interface Plain {
  readonly bytes: Uint8Array;
  readonly filterMask: number;
  /** So many bytes at the beginning are noise, which nothing compresses, with their checksum; null if none are. */
  readonly noise: { readonly bytes: number; readonly adler: number } | null;
}

/**
 * Copies values into a chunk of `elements`, zeros behind them. Values that come back soon (those of few decimals) deflate
 * best as they are. Of all others only the upper bytes are alike, which have to stand together to be found: all first
 * bytes, then all second ones.
 *
 * @param bytes room of eight bytes for each element, at the beginning of its memory
 */
export function plainChunk(values: Float64Array, elements: number, bytes: Uint8Array): Plain {
  if (comesBack(values)) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    bytes.fill(0, values.byteLength);
    return { bytes, filterMask: WITHOUT_SHUFFLE, noise: null };
  }
  const kernel = shuffleKernel();
  bytes.set(kernel.shuffle(values, elements));
  let planes = 0;
  while (planes < 8 && isNoise(bytes.subarray(planes * elements, (planes + 1) * elements))) planes++;
  const noiseBytes = planes * elements;
  return {
    bytes,
    filterMask: 0,
    noise: noiseBytes > 0 ? { bytes: noiseBytes, adler: kernel.adler(noiseBytes) } : null,
  };
}

function comesBack(values: Float64Array): boolean {
  const from = Math.max(0, (values.length - SAMPLE) >> 1);
  const sample = values.subarray(from, from + SAMPLE);
  return new Set(sample).size < sample.length / 2;
}
