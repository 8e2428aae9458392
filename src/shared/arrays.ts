/** Returns the memory of an array as bytes, without copying. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the values at these indices. */
export function gather(values: Float64Array, indices: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const gathered = new Float64Array(indices.length);
  // A loop takes a tenth of the time of `Float64Array.from` with a function.
  for (let i = 0; i < gathered.length; i++) gathered[i] = values[indices[i]!]!;
  return gathered;
}

/** Returns the index of the first time after `momentMs`, or the length. Times are strictly ascending. */
export function upperBound(timesMs: Float64Array, momentMs: number): number {
  const at = lowerBound(timesMs, momentMs);
  return timesMs[at] === momentMs ? at + 1 : at;
}

/** Returns the index of the first time that is not before `momentMs`, or the length. Times are ascending. */
export function lowerBound(timesMs: Float64Array, momentMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timesMs[middle]! < momentMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Copies an array into a longer one. */
export function grown(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(length);
  longer.set(array);
  return longer;
}
