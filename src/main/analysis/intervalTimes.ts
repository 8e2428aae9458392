import { emptyRuns, pushRun, type Runs } from "#shared/time/runs.ts";

/** Returns the starts of the intervals that contain any of the times, each once. */
export function intervalTimes(times: Runs, intervalSeconds: number): Runs {
  const stepMs = intervalSeconds * 1_000;
  const starts = emptyRuns();
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const run of times.list) {
    for (let k = 0; k < run.count;) {
      const startMs = Math.floor((run.startMs + k * run.stepMs) / stepMs) * stepMs;
      if (startMs !== lastMs) pushRun(starts, { startMs, stepMs: 0, count: 1 });
      lastMs = startMs;
      // Skips to the first time after this interval.
      const beyond = Math.ceil((startMs + stepMs - run.startMs) / run.stepMs);
      k = Math.max(k + 1, beyond);
    }
  }
  return starts;
}
