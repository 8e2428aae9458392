/** Values that show whether a chunk repeats its values. */
const SAMPLE = 1_024;
/** Bit of a chunk's filter mask: HDF5 skips the first filter, shuffle. */
const NO_SHUFFLE = 1;

/**
 * Fills `target` with a chunk for the deflate filter: the values, and zeros behind them. Values that repeat (those with few
 * decimals) compress best unshuffled. Of others, only the high bytes are alike, so HDF5's shuffle filter groups the bytes
 * of all values by their position.
 *
 * @param target eight bytes for each element of the chunk, at the start of its buffer
 * @returns the filter mask of the chunk
 */
export function fillChunk(values: Float64Array, target: Uint8Array): number {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (repeats(values)) {
    target.set(bytes);
    target.fill(0, bytes.length);
    return NO_SHUFFLE;
  }
  const elements = target.length / 8;
  for (let position = 0; position < 8; position++) {
    const from = position * elements;
    const to = from + values.length;
    for (let source = position, i = from; i < to; i++, source += 8) target[i] = bytes[source]!;
    target.fill(0, to, from + elements);
  }
  return 0;
}

function repeats(values: Float64Array): boolean {
  const from = Math.max(0, (values.length - SAMPLE) >> 1);
  const sample = values.subarray(from, from + SAMPLE);
  return new Set(sample).size < sample.length / 2;
}
