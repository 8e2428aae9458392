import { type Job, JOB_VIEW_STATES, type JobViewState } from "#shared/bridge/methods/jobs.ts";
import type { JobProgress } from "#shared/job/job.ts";
import type { JobRecord } from "../../store/types.ts";

/**
 * A kept job as a window shows it.
 *
 * @param running figures of its run under way; null where there is none
 */
export function viewOf(record: JobRecord, running: { readonly progress: JobProgress | null } | null): Job {
  const { id, connectionId, createdAtMs, updatedAtMs, keepUp, nextRunMs, counters, verdictCounts } = record;
  const outage = running?.progress?.outage ?? null;
  return {
    id,
    connectionId,
    spec: record.spec,
    state: outage && record.state === "running" ? "waitingForNetwork" : shownState(record, running !== null),
    reason: outage?.reason ?? record.reason,
    progress: running?.progress ?? counters,
    verdictCounts: verdictCounts,
    createdAtMs,
    updatedAtMs,
    keepUp,
    nextRunMs: keepUp ? nextRunMs : null,
  };
}

/** A job that ran when the program ended waits until its connection is opened. A word of another version is no state. */
function shownState({ state }: JobRecord, isRunning: boolean): JobViewState {
  if (!isRunning && (state === "running" || state === "waitingForNetwork")) return "queued";
  return JOB_VIEW_STATES.find((s) => s === state) ?? "paused";
}
