/** Index of the first time that is not before `momentMs`; the length where all are. Times ascend. */
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
