import type { ComparedSeries } from "./series.ts";

/**
 * Means over intervals that begin at whole multiples of the step since the epoch, their time the start of the interval.
 * A mean of which any value is marked carries the marks.
 */
export function meansOf(series: ComparedSeries, stepMs: number): ComparedSeries {
  const { timesMs, values, flags } = series;
  const first = timesMs[0] ?? 0;
  const most = Math.min(timesMs.length, Math.floor(((timesMs.at(-1) ?? first) - first) / stepMs) + 2);
  const times = new Float64Array(most);
  const means = new Float64Array(most);
  const marks = flags ? new Uint8Array(most) : null;
  let n = 0;
  for (let from = 0; from < timesMs.length;) {
    const startMs = Math.floor(timesMs[from]! / stepMs) * stepMs;
    const endMs = startMs + stepMs;
    let sum = 0;
    let mark = 0;
    let i = from;
    for (; i < timesMs.length && timesMs[i]! < endMs; i++) {
      sum += values[i]!;
      if (flags) mark |= flags[i]!;
    }
    times[n] = startMs;
    means[n] = sum / (i - from);
    if (marks) marks[n] = mark;
    n++;
    from = i;
  }
  return {
    stationId: series.stationId,
    stepMs,
    timesMs: times.subarray(0, n),
    values: means.subarray(0, n),
    flags: marks?.subarray(0, n) ?? null,
  };
}
