import type { JobProgress } from "#shared/job/job.ts";
import { addAnomaly, type Anomaly } from "#shared/series/rows.ts";

/**
 * Adds the statistics of a resumed run to those of the whole job. Data that was missing at its start counts as done once
 * it is cached, whoever downloaded it. A finished job starts from zero.
 *
 * @param before the stored statistics; null if it never ran
 */
export function mergeProgress(before: JobProgress | null, run: JobProgress): JobProgress {
  if (before === null || before.state === "finished") return run;
  // It waits for the service and has not counted missing data yet.
  if (run.state === "running" && run.pointsTotal === 0) {
    const { waitingUntilMs, outage = null } = run;
    return { ...before, state: "running", secondsLeft: null, waitingUntilMs, outage };
  }
  const pointsTotal = Math.max(before.pointsTotal, run.pointsTotal);
  const anomalies = { ...before.anomalies };
  for (const [kind, count] of Object.entries(run.anomalies)) addAnomaly(anomalies, kind as Anomaly, count);
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
