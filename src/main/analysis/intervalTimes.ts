import { emptyRuns, pushRun, type Runs } from "#shared/time/runs.ts";

/** Returns the starts of the intervals that contain any of the times, each once. */
export function intervalTimes(times: Runs, intervalSeconds: number): Runs {
  const stepMs = intervalSeconds * 1_000;
  const starts = emptyRuns();
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < times.counts.length; i++) {
    for (let k = 0; k < times.counts[i]!;) {
      const startMs = Math.floor((times.startsMs[i]! + k * times.stepsMs[i]!) / stepMs) * stepMs;
      if (startMs !== lastMs) pushRun(starts, startMs, 0, 1);
      lastMs = startMs;
      // Skips to the first time after this interval.
      const beyond = Math.ceil((startMs + stepMs - times.startsMs[i]!) / times.stepsMs[i]!);
      k = Math.max(k + 1, beyond);
    }
  }
  return starts;
}
