import type { TimeRange } from "#shared/time/range.ts";
import { GAP_STEPS } from "../../analysis/gaps.ts";
import { emptyRuns, pushRun, type Run, runEndMs, type Runs } from "#shared/time/runs.ts";

/**
 * Adds the first missing epoch of each gap between rows, so that a table has a row that says why instead of jumping over
 * it. A gap is longer than the steps on both sides of it; lonely rows have the shortest step of all.
 *
 * @returns all epochs, and the gaps: from the first missing epoch to the next row
 */
export function withGapEpochs(rows: Runs): { readonly epochs: Runs; readonly gaps: readonly TimeRange[] } {
  const stepMs = rows.list.reduce((least, run) => (run.count > 1 ? Math.min(least, run.stepMs) : least), Infinity);
  const epochs = emptyRuns();
  const gaps: TimeRange[] = [];
  const stepOf = (run: Run): number => (run.count > 1 ? run.stepMs : stepMs);
  let last: Run | null = null;
  for (const run of rows.list.flatMap((each) => apart(each, stepMs))) {
    if (last && run.startMs - runEndMs(last) > GAP_STEPS * Math.max(stepOf(last), stepOf(run))) {
      const startMs = runEndMs(last) + stepOf(last);
      gaps.push({ startMs, endMs: run.startMs });
      pushRun(epochs, { startMs, stepMs: 0, count: 1 });
    }
    pushRun(epochs, run);
    last = run;
  }
  return { epochs, gaps };
}

/** Two moments on both sides of a gap look like a run; three at equal distances are a slower cadence. */
function apart(run: Run, stepMs: number): Run[] {
  if (run.count !== 2 || run.stepMs <= GAP_STEPS * stepMs) return [run];
  return [run.startMs, runEndMs(run)].map((startMs) => ({ startMs, stepMs: 0, count: 1 }));
}
