import { promisify } from "node:util";
import { constants, deflate } from "node:zlib";

const compressed = promisify(deflate);

/** Level 4 takes 1.6 times as long for a few percent less. */
export const DEFLATE_LEVEL = 1;
/** So many neighbours tell whether values come back. */
const SAMPLE = 1_024;
/** In a chunk's filter mask: the first filter, shuffle, was passed over. */
const WITHOUT_SHUFFLE = 1;

/** A chunk as the filters take it, its bytes shuffled or not. */
export interface Plain {
  readonly bytes: Uint8Array;
  readonly filterMask: number;
}

/**
 * Copies values into a chunk of `elements`, zeros behind them. Values that come back soon (those of few decimals) deflate
 * best as they are. Of all others only the upper bytes are alike, which have to stand together to be found: all first
 * bytes, then all second ones.
 *
 * @param bytes room of eight bytes for each element
 */
export function plainChunk(values: Float64Array, elements: number, bytes: Uint8Array): Plain {
  const source = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (values.length < elements) bytes.fill(0);
  if (comesBack(values)) {
    bytes.set(source);
    return { bytes, filterMask: WITHOUT_SHUFFLE };
  }
  for (let byte = 0; byte < 8; byte++) {
    for (let i = byte, at = byte * elements; i < source.length; i += 8) bytes[at++] = source[i]!;
  }
  return { bytes, filterMask: 0 };
}

function comesBack(values: Float64Array): boolean {
  const from = Math.max(0, (values.length - SAMPLE) >> 1);
  const sample = values.subarray(from, from + SAMPLE);
  return new Set(sample).size < sample.length / 2;
}

/** Deflated outside of this thread. In shuffled bytes zlib looks for runs only: the rest is noise, in which a search finds nothing. */
export function deflated({ bytes, filterMask }: Plain): Promise<Buffer> {
  const strategy = filterMask === 0 ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
  // Room for all of it: every piece of the result would be another way back and forth.
  const chunkSize = bytes.length + (bytes.length >> 8) + 64;
  return compressed(bytes, { level: DEFLATE_LEVEL, strategy, chunkSize });
}
