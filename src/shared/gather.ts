/** Returns the values at these indices. */
export function gather(values: Float64Array, indices: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const gathered = new Float64Array(indices.length);
  // A loop takes a tenth of the time of `Float64Array.from` with a function.
  for (let i = 0; i < gathered.length; i++) gathered[i] = values[indices[i]!]!;
  return gathered;
}
