import type { Job } from "#shared/bridge/methods/jobs.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { JobRecord } from "../../store/index.ts";
import { fromFileFault } from "../connections/connectionRecords.ts";
import type { Events } from "../events.ts";
import { newJob } from "./records.ts";
import { hasEnded } from "#shared/job/job.ts";
import { Scheduler } from "./scheduler.ts";

type JobResult = Result<Job, AppFault>;

const NO_JOB = usageFault("This job no longer exists.");
const NO_CONNECTION = usageFault("This connection no longer exists. Choose another one.");

/** Download jobs that outlive windows and the program. Those of a connection share its limiter. */
export class JobQueue extends Scheduler {
  /** Newest first. */
  list(): Job[] {
    return this.jobStore.views();
  }

  start(connectionId: string, spec: JobSpec, keepUp: boolean): JobResult {
    const record = this.context.connections.find(connectionId);
    if (!record) return failure(NO_CONNECTION);
    const fault = fromFileFault(record);
    if (fault) return failure(fault);
    this.adopt(connectionId);
    const job = newJob(connectionId, spec, keepUp, this.context.clock.wallMs());
    this.context.users.putJob(job);
    return success(this.enqueue(job));
  }

  pause(jobId: string): Promise<JobResult> {
    return this.#stopAs(jobId, "paused");
  }

  resume(jobId: string): JobResult {
    return this.#withJob(jobId, (record) => this.enqueue(record));
  }

  cancel(jobId: string): Promise<JobResult> {
    return this.#stopAs(jobId, "cancelled");
  }

  setKeepUp(jobId: string, keepUp: boolean): JobResult {
    return this.#withJob(jobId, (record) => {
      const repeats = keepUp && (record.state === "finished" || record.state === "broken");
      const nextRunMs = repeats ? this.context.clock.wallMs() : null;
      const job = this.jobStore.change(record, { keepUp, nextRunMs });
      this.scheduleNextRun({ ...record, keepUp, nextRunMs });
      return job;
    });
  }

  async remove(jobId: string): Promise<Result<null, AppFault>> {
    const record = this.jobStore.find(jobId);
    if (!record) return failure(NO_JOB);
    await this.stopAndWait(record, "interrupted");
    this.jobStore.remove(jobId);
    return success(null);
  }

  verdicts(jobId: string): Result<Verdict[], AppFault> {
    if (!this.jobStore.find(jobId)) return failure(NO_JOB);
    return success([...(this.context.users.verdicts(jobId) ?? [])]);
  }

  /** Continues the jobs that waited for the key of a connection. */
  keyChanged(connectionId: string): void {
    for (const record of this.jobStore.ofConnection(connectionId))
      if (record.state === "needsKey") this.enqueue(record);
  }

  #withJob(jobId: string, act: (record: JobRecord) => Job): JobResult {
    const record = this.jobStore.find(jobId);
    if (record?.damage !== undefined) return usageFailure(record.damage);
    return record ? success(act(record)) : failure(NO_JOB);
  }

  async #stopAs(jobId: string, state: "paused" | "cancelled"): Promise<JobResult> {
    const before = this.jobStore.find(jobId);
    if (!before) return failure(NO_JOB);
    await this.stopAndWait(before, state);
    return this.#withJob(jobId, (record) => {
      // An ended job can only be kept from its next run.
      const isEnded = hasEnded(record) && !(record.keepUp && record.nextRunMs !== null);
      if (isEnded || record.state === state) return this.jobStore.view(record);
      return this.jobStore.change(record, { state, reason: null, nextRunMs: null });
    });
  }
}

interface Order {
  readonly connectionId: string;
  readonly spec: JobSpec;
  readonly onStart?: (jobId: string) => void;
}

/**
 * Starts a download in the queue and waits for its end, however long it waits there for its turn or the network.
 *
 * @param isOver whether to stop waiting for a job in this state
 * @param signal removes the download from the queue, unless its reason is `KEEPS_DOWNLOAD`; received data are kept
 * @returns the ended job; a fault if it was removed, or could not be started
 */
export async function runInQueue(
  { queue, events }: { readonly queue: Pick<JobQueue, "start" | "remove">; readonly events: Events },
  { connectionId, spec, onStart }: Order,
  isOver: (job: Job) => boolean,
  signal: AbortSignal,
): Promise<Result<Job, AppFault>> {
  if (signal.aborted) return REMOVED;
  const started = queue.start(connectionId, spec, false);
  if (!started.ok || isOver(started.value)) return started;
  const jobId = started.value.id;
  onStart?.(jobId);
  const { promise, resolve, reject } = Promise.withResolvers<Result<Job, AppFault>>();
  const unsubscribe = events.subscribe((event) => {
    if (event.name === "jobChanged" && event.data.id === jobId && isOver(event.data)) resolve(success(event.data));
    else if (event.name === "jobRemoved" && event.data.jobId === jobId) resolve(REMOVED);
  });
  const stop = (): void => {
    if (signal.reason === KEEPS_DOWNLOAD) resolve(REMOVED);
    else queue.remove(jobId).catch(reject);
  };
  signal.addEventListener("abort", stop);
  try {
    return await promise;
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", stop);
  }
}

/** Abort reason of a wait whose download stays in the queue, for the next start of the program. */
export const KEEPS_DOWNLOAD = "keeps the download";

const REMOVED = failure<AppFault>({ kind: "cancelled", message: "The download was removed.", cause: null });
