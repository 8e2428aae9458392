import type { JobProgress } from "#shared/job/job.ts";
import { addAnomaly, type Anomaly } from "#shared/series/rows.ts";

/**
 * Figures of a job that goes on: of the whole, not of the run. What was missing when it began and is not missing any
 * more counts as done, whoever brought it. A job that had finished begins anew.
 *
 * @param before its kept figures; null where it never ran
 */
export function mergeProgress(before: JobProgress | null, run: JobProgress): JobProgress {
  if (before === null || before.state === "finished") return run;
  // It waits for the service before it could count what is missing.
  if (run.state === "running" && run.pointsTotal === 0) {
    const { waitingUntilMs, outage = null } = run;
    return { ...before, state: "running", secondsLeft: null, waitingUntilMs, outage };
  }
  const pointsTotal = Math.max(before.pointsTotal, run.pointsTotal);
  const anomalies = { ...before.anomalies };
  for (const [kind, n] of Object.entries(run.anomalies)) addAnomaly(anomalies, kind as Anomaly, n);
  return {
    ...run,
    pointsTotal,
    pointsDone: pointsTotal - run.pointsTotal + run.pointsDone,
    rows: before.rows + run.rows,
    bodyBytes: before.bodyBytes + run.bodyBytes,
    requestsSent: before.requestsSent + run.requestsSent,
    splits: before.splits + run.splits,
    retries: before.retries + run.retries,
    putOff: before.putOff + run.putOff,
    anomalies,
  };
}
