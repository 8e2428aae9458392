/** The starts of the intervals that hold any of the times, each once. */
export function intervalTimes(timesMs: Float64Array, intervalSeconds: number): Float64Array {
  const stepMs = intervalSeconds * 1_000;
  const starts = new Float64Array(timesMs.length);
  let n = 0;
  for (const timeMs of timesMs) {
    const startMs = Math.floor(timeMs / stepMs) * stepMs;
    if (n === 0 || starts[n - 1] !== startMs) starts[n++] = startMs;
  }
  return starts.subarray(0, n);
}
