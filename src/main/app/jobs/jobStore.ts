import { type Job, JOB_VIEW_STATES, type JobViewState } from "#shared/bridge/methods/jobs.ts";
import type { JobProgress } from "#shared/job/job.ts";
import { changeWords } from "#shared/job/refresh.ts";
import { faultOf } from "../../fault.ts";
import type { Clock } from "../../sync/clock.ts";
import type { Events } from "../events.ts";
import { count, many } from "#shared/text.ts";
import { sweepRefreshes } from "./refresh.ts";
import { removeOldJobs } from "./records.ts";
import type { RunEnd } from "./run.ts";
import type { JobRecord, UserStore } from "../../store/index.ts";

/** A run, with the statistics of its whole job. */
interface Running {
  readonly progress: JobProgress | null;
}

/** The stored jobs, and how windows see them. */
export class JobStore {
  readonly #users: UserStore;
  readonly #events: Events;
  readonly #clock: Clock;
  readonly #runOf: (record: JobRecord) => Running | null;
  readonly #failures = new Map<string, string>();

  /** @param runOf the current run of a job; null if it does not run */
  constructor(
    { users, events, clock }: { readonly users: UserStore; readonly events: Events; readonly clock: Clock },
    runOf: (record: JobRecord) => Running | null,
  ) {
    this.#users = users;
    this.#events = events;
    this.#clock = clock;
    this.#runOf = runOf;
  }

  find(jobId: string): JobRecord | null {
    return this.#users.job(jobId);
  }

  /** Oldest first. */
  ofConnection(connectionId: string): readonly JobRecord[] {
    return this.#users.jobs().filter((j) => j.connectionId === connectionId);
  }

  view(record: JobRecord): Job {
    const job = viewOf(record, this.#runOf(record));
    const reason = this.#failures.get(record.id);
    return reason === undefined ? job : { ...job, state: "broken", reason };
  }

  /** Newest first. */
  views(): Job[] {
    return this.#users
      .jobs()
      .map((record) => this.view(record))
      .toReversed();
  }

  /** Stores changes of a job and notifies windows. @throws StoreError */
  change(record: JobRecord, changes: Partial<JobRecord>): Job {
    const next = { ...record, ...changes, updatedAtMs: this.#clock.wallMs() };
    this.#users.putJob(next);
    const job = this.view(next);
    this.#events.emit("jobChanged", job);
    return job;
  }

  notify(jobId: string): void {
    const record = this.#users.job(jobId);
    if (record) this.#events.emit("jobChanged", this.view(record));
  }

  remove(jobId: string): void {
    this.#users.deleteJobs([jobId]);
    sweepRefreshes(this.#users);
    this.#events.emit("jobRemoved", { jobId });
  }

  /** Removes the oldest downloads of a connection that have ended, see `removeOldJobs`. */
  removeOld(connectionId: string): void {
    for (const jobId of removeOldJobs(this.#users, connectionId)) this.#events.emit("jobRemoved", { jobId });
  }

  /** Shows a job as broken after an error that no caller waits for, until it runs again. */
  markFailed(jobId: string, thrown: unknown): void {
    this.#failures.set(jobId, faultOf(thrown).message);
  }

  clearFailure(jobId: string): void {
    this.#failures.delete(jobId);
  }
}

/**
 * A stored job as a window shows it.
 *
 * @param running statistics of its current run; null if it does not run
 */
function viewOf(record: JobRecord, running: Running | null): Job {
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
    nextRunMs,
  };
}

/** A job that ran when the program ended is queued; one that has just begun runs. An unknown state, of another version, counts as paused. */
function shownState({ state }: JobRecord, isRunning: boolean): JobViewState {
  if (state === "running" || state === "queued") return isRunning ? "running" : "queued";
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
