import { isNoise } from "#shared/noise.ts";

/** So many neighbours tell whether values come back. */
const SAMPLE = 1_024;
/** In a chunk's filter mask: the first filter, shuffle, was passed over. */
const WITHOUT_SHUFFLE = 1;

/** A chunk as the filters take it, its bytes shuffled or not. */
export interface Plain {
  readonly bytes: Uint8Array;
  readonly filterMask: number;
  /** So many bytes at the beginning are noise, which nothing compresses. */
  readonly noiseBytes: number;
}

/**
 * Copies values into a chunk of `elements`, zeros behind them. Values that come back soon (those of few decimals) deflate
 * best as they are. Of all others only the upper bytes are alike, which have to stand together to be found: all first
 * bytes, then all second ones.
 *
 * @param bytes room of eight bytes for each element, at the beginning of its memory
 */
export function plainChunk(values: Float64Array, elements: number, bytes: Uint8Array): Plain {
  if (values.length < elements) bytes.fill(0);
  if (comesBack(values)) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    return { bytes, filterMask: WITHOUT_SHUFFLE, noiseBytes: 0 };
  }
  shuffle(values, elements, bytes);
  let planes = 0;
  while (planes < 8 && isNoise(bytes.subarray(planes * elements, (planes + 1) * elements))) planes++;
  return { bytes, filterMask: 0, noiseBytes: planes * elements };
}

function comesBack(values: Float64Array): boolean {
  const from = Math.max(0, (values.length - SAMPLE) >> 1);
  const sample = values.subarray(from, from + SAMPLE);
  return new Set(sample).size < sample.length / 2;
}

/** Four values at a time, as whole words, where the planes of bytes begin at words too. */
function shuffle(values: Float64Array, elements: number, bytes: Uint8Array): void {
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const fours = elements % 4 === 0 ? values.length >> 2 : 0;
  const plane = elements >> 2;
  const planes = new Int32Array(bytes.buffer, bytes.byteOffset, fours === 0 ? 0 : elements * 2);
  for (let half = 0; half < 2; half++) {
    let to = half * 4 * plane;
    for (let k = 0, i = half; k < fours; k++, i += 8, to++) {
      const a = words[i]!;
      const b = words[i + 2]!;
      const c = words[i + 4]!;
      const d = words[i + 6]!;
      planes[to] = (a & 0xff) | ((b & 0xff) << 8) | ((c & 0xff) << 16) | (d << 24);
      planes[to + plane] = ((a >>> 8) & 0xff) | (b & 0xff00) | ((c & 0xff00) << 8) | ((d & 0xff00) << 16);
      planes[to + 2 * plane] = ((a >>> 16) & 0xff) | ((b >>> 8) & 0xff00) | (c & 0xff0000) | ((d & 0xff0000) << 8);
      planes[to + 3 * plane] = (a >>> 24) | ((b >>> 16) & 0xff00) | ((c >>> 8) & 0xff0000) | (d & 0xff000000);
    }
  }
  const source = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  for (let byte = 0; byte < 8; byte++) {
    for (let i = 32 * fours + byte, at = byte * elements + 4 * fours; i < source.length; i += 8)
      bytes[at++] = source[i]!;
  }
}
