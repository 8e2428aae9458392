import { type Job, JOB_VIEW_STATES, type JobViewState } from "#shared/bridge/methods/jobs.ts";
import type { JobProgress } from "#shared/job/job.ts";
import { changeWords } from "#shared/job/refresh.ts";
import { faultOf } from "../../fault.ts";
import type { JobRecord } from "../../store/user/types.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { count, many } from "#shared/text.ts";
import { sweepRefreshes } from "./refresh.ts";
import type { RunEnd } from "./run.ts";
import type { UserStore } from "../../store/index.ts";

/** The stored jobs, and how windows see them. */
export interface JobStore {
  find(jobId: string): JobRecord | null;
  /** Oldest first. */
  ofConnection(connectionId: string): readonly JobRecord[];
  view(record: JobRecord): Job;
  /** Newest first. */
  views(): Job[];
  /** Stores changes of a job and notifies windows. @throws StoreError */
  change(record: JobRecord, changes: Partial<JobRecord>): Job;
  notify(jobId: string): void;
  remove(jobId: string): void;
  /** Sets the statistics of a running job; null when it has ended. */
  setRunning(jobId: string, statistics: { readonly progress: JobProgress | null } | null): void;
  /** Shows a job as broken after an error that no caller waits for, until it runs again. */
  markFailed(jobId: string, thrown: unknown): void;
  clearFailure(jobId: string): void;
}

export function createJobStore(users: UserStore, events: Events, clock: Clock): JobStore {
  const running = new Map<string, { readonly progress: JobProgress | null }>();
  const failures = new Map<string, string>();

  function view(record: JobRecord): Job {
    const job = viewOf(record, running.get(record.id) ?? null);
    const reason = failures.get(record.id);
    return reason === undefined ? job : { ...job, state: "broken", reason };
  }

  function notify(jobId: string): void {
    const record = users.job(jobId);
    if (record) events.emit("jobChanged", view(record));
  }

  return {
    find: (jobId) => users.job(jobId),
    ofConnection: (connectionId) => users.jobs().filter((j) => j.connectionId === connectionId),
    view,
    views: () => users.jobs().map(view).toReversed(),
    change(record, changes) {
      const next = { ...record, ...changes, updatedAtMs: clock.wallMs() };
      users.putJob(next);
      const job = view(next);
      events.emit("jobChanged", job);
      return job;
    },
    notify,
    remove(jobId) {
      users.deleteJob(jobId);
      sweepRefreshes(users);
      events.emit("jobRemoved", { jobId });
    },
    setRunning(jobId, statistics) {
      if (statistics) running.set(jobId, statistics);
      else running.delete(jobId);
    },
    markFailed: (jobId, thrown) => void failures.set(jobId, faultOf(thrown).message),
    clearFailure: (jobId) => void failures.delete(jobId),
  };
}

/**
 * A stored job as a window shows it.
 *
 * @param running statistics of its current run; null if it does not run
 */
function viewOf(record: JobRecord, running: { readonly progress: JobProgress | null } | null): Job {
  const { id, connectionId, createdAtMs, updatedAtMs, keepUp, nextRunMs, counters, verdictCounts } = record;
  const outage = running?.progress?.outage ?? null;
  return {
    id,
    connectionId,
    spec: record.spec,
    state: outage && record.state === "running" ? "waitingForNetwork" : shownState(record, running !== null),
    reason: outage?.reason ?? record.reason,
    progress: running?.progress ?? counters,
    verdictCounts,
    createdAtMs,
    updatedAtMs,
    keepUp,
    nextRunMs: keepUp ? nextRunMs : null,
  };
}

/** A job that ran when the program ended is queued. An unknown state, of another version, counts as paused. */
function shownState({ state }: JobRecord, isRunning: boolean): JobViewState {
  if (!isRunning && state === "running") return "queued";
  return JOB_VIEW_STATES.find((s) => s === state) ?? "paused";
}

/** The system notification for the end of a download; null if it only waits, or the user stopped it. */
export function noticeOf({
  record,
  state,
  statistics,
  outcome,
}: RunEnd): { readonly title: string; readonly text: string } | null {
  const { stationIds } = record.spec;
  const stations = many(stationIds.length, "station");
  if (state === "finished") {
    const failed = new Set(outcome.failures.map((f) => f.stationId)).size;
    const rest = failed === 0 ? "" : ` Parts of ${count(failed)} could not be downloaded.`;
    const { refreshed } = statistics;
    if (refreshed) return { title: "Refresh finished", text: `${stations}: ${changeWords(refreshed)}.${rest}` };
    return {
      title: "Download finished",
      text: `${many(statistics.rows, "row")} of ${stations}.${rest}`,
    };
  }
  if (state === "needsKey" || state === "broken")
    return { title: "Download stopped", text: outcome.reason ?? "The service cannot be used." };
  return null;
}
