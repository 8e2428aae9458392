import type { Job } from "#shared/bridge/methods/jobs.ts";
import { type AppFault, usageFailure, usageFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { JobRecord } from "../../store/user/types.ts";
import { fromFileFault } from "../connections/connectionRecords.ts";
import type { Events } from "../events.ts";
import { newJob } from "./jobs.ts";
import { createJobStore } from "./jobStore.ts";
import { hasEnded } from "./run.ts";
import { createScheduler, type SchedulerContext } from "./scheduler.ts";

type JobResult = Result<Job, AppFault>;

/** Download jobs that outlive windows and the program. Those of a connection share its limiter. */
export interface JobQueue {
  /** Newest first. */
  list(): Job[];
  start(connectionId: string, spec: JobSpec, keepUp: boolean): JobResult;
  pause(jobId: string): Promise<JobResult>;
  resume(jobId: string): JobResult;
  cancel(jobId: string): Promise<JobResult>;
  setKeepUp(jobId: string, keepUp: boolean): JobResult;
  remove(jobId: string): Promise<Result<null, AppFault>>;
  verdicts(jobId: string): Result<Verdict[], AppFault>;
  /** Continues the jobs of a connection that was opened, unless the user stopped them. */
  adopt(connectionId: string): void;
  /** Continues the jobs that waited for the key of a connection. */
  keyChanged(connectionId: string): void;
  /** Stops and deletes the jobs of a connection that is about to be removed. */
  drop(connectionId: string): Promise<void>;
  /** Stops running jobs in order; they continue after `resumeAll`, or the next start of the program. */
  suspend(): Promise<void>;
  resumeAll(): Promise<void>;
}

const NO_JOB = usageFault("This job no longer exists.");
const NO_CONNECTION = usageFault("This connection no longer exists. Choose another one.");

export function createQueue(context: SchedulerContext & { readonly events: Events }): JobQueue {
  const { users, events, clock } = context;
  const jobStore = createJobStore(users, events, clock);
  const scheduler = createScheduler(context, jobStore);

  function withJob(jobId: string, act: (record: JobRecord) => Job): JobResult {
    const record = jobStore.find(jobId);
    if (record?.damage !== undefined) return usageFailure(record.damage);
    return record ? success(act(record)) : failure(NO_JOB);
  }

  async function stopAs(jobId: string, state: "paused" | "cancelled"): Promise<JobResult> {
    const before = jobStore.find(jobId);
    if (!before) return failure(NO_JOB);
    await scheduler.stopAndWait(before, state);
    return withJob(jobId, (record) => {
      // An ended job can only be kept from its next run.
      const isEnded = hasEnded(record) && !(record.keepUp && record.nextRunMs !== null);
      if (isEnded || record.state === state) return jobStore.view(record);
      return jobStore.change(record, { state, reason: null, nextRunMs: null });
    });
  }

  return {
    list: jobStore.views,
    start(connectionId, spec, keepUp) {
      const record = context.connections.find(connectionId);
      if (!record) return failure(NO_CONNECTION);
      const fault = fromFileFault(record);
      if (fault) return failure(fault);
      scheduler.adopt(connectionId);
      const job = newJob(connectionId, spec, keepUp, clock.wallMs());
      users.putJob(job);
      return success(scheduler.enqueue(job));
    },
    pause: (jobId) => stopAs(jobId, "paused"),
    resume: (jobId) => withJob(jobId, scheduler.enqueue),
    cancel: (jobId) => stopAs(jobId, "cancelled"),
    setKeepUp: (jobId, keepUp) =>
      withJob(jobId, (record) => {
        const repeats = keepUp && (record.state === "finished" || record.state === "broken");
        const nextRunMs = repeats ? clock.wallMs() : null;
        const job = jobStore.change(record, { keepUp, nextRunMs });
        scheduler.scheduleNextRun({ ...record, keepUp, nextRunMs });
        return job;
      }),
    async remove(jobId) {
      const record = jobStore.find(jobId);
      if (!record) return failure(NO_JOB);
      await scheduler.stopAndWait(record, "interrupted");
      jobStore.remove(jobId);
      return success(null);
    },
    verdicts(jobId) {
      if (!jobStore.find(jobId)) return failure(NO_JOB);
      return success([...(users.verdicts(jobId) ?? [])]);
    },
    adopt: scheduler.adopt,
    keyChanged(connectionId) {
      for (const record of jobStore.ofConnection(connectionId))
        if (record.state === "needsKey") scheduler.enqueue(record);
    },
    async drop(connectionId) {
      const jobs = jobStore.ofConnection(connectionId);
      await scheduler.drop(connectionId);
      for (const { id } of jobs) jobStore.remove(id);
    },
    suspend: scheduler.suspend,
    resumeAll: scheduler.resume,
  };
}

/**
 * Starts a download in the queue and waits for its end, however long it waits there for its turn or the network.
 *
 * @param isOver whether to stop waiting for a job in this state
 * @param signal removes the download from the queue; received data is kept
 * @returns the ended job; a fault if it was removed, or could not be started
 */
export async function runInQueue(
  { queue, events }: { readonly queue: Pick<JobQueue, "start" | "remove">; readonly events: Events },
  { connectionId, spec }: { readonly connectionId: string; readonly spec: JobSpec },
  isOver: (job: Job) => boolean,
  signal?: AbortSignal,
): Promise<Result<Job, AppFault>> {
  return new Promise((resolve) => {
    let jobId: string | null = null;
    const stop = (): void => void (jobId !== null && queue.remove(jobId));
    const settle = (answer: Result<Job, AppFault>): void => {
      unsubscribe();
      signal?.removeEventListener("abort", stop);
      resolve(answer);
    };
    const check = (job: Job): void => {
      if (job.id === jobId && isOver(job)) settle(success(job));
    };
    const unsubscribe = events.subscribe((event) => {
      if (event.name === "jobChanged") check(event.data);
      else if (event.name === "jobRemoved" && event.data.jobId === jobId) settle(REMOVED);
    });
    const started = queue.start(connectionId, spec, false);
    if (!started.ok) return settle(started);
    jobId = started.value.id;
    signal?.addEventListener("abort", stop);
    check(started.value);
    if (signal?.aborted) stop();
  });
}

const REMOVED = failure<AppFault>({ kind: "cancelled", message: "The download was removed.", cause: null });
