import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { Events } from "../events.ts";
import type { JobQueue } from "./queue.ts";

/**
 * Starts a download in the queue and waits for its end, however long it waits there for its turn or the network.
 *
 * @param isOver whether to stop waiting for a job in this state
 * @param signal removes the download from the queue; received data is kept
 * @returns the ended job; a fault if it was removed, or could not be started
 */
export async function runInQueue(
  { queue, events }: { readonly queue: Pick<JobQueue, "start" | "remove">; readonly events: Events },
  connectionId: string,
  spec: JobSpec,
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
